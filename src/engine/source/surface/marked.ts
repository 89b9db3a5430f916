/** Functions that are marked as tools or routes: by decorators, annotations and attributes. */
import type { Expression, FunctionForm } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { Machine } from '../taint/frame.ts';
import { type FunctionValue, Scope } from '../taint/value.ts';
import { wordsAt } from './written.ts';
import type { EntranceKind, Note } from './offer.ts';

const markKinds: Readonly<Record<string, EntranceKind>> = {
  tool: 'tool',
  call_tool: 'tool',
  resource: 'resource',
  read_resource: 'resource',
  prompt: 'prompt',
  get_prompt: 'prompt',
  function_tool: 'tool',
  mcp_tool: 'tool',
  register_tool: 'tool',
  Tool: 'tool',
  McpTool: 'tool',
  McpResource: 'resource',
  McpPrompt: 'prompt',
  route: 'http',
  get: 'http',
  post: 'http',
  put: 'http',
  delete: 'http',
  patch: 'http',
  websocket: 'http',
  custom_route: 'http',
  api_route: 'http',
  GetMapping: 'http',
  PostMapping: 'http',
  PutMapping: 'http',
  DeleteMapping: 'http',
  RequestMapping: 'http',
  Path: 'http',
  GET: 'http',
  POST: 'http',
};

/** Marks of functions that answer for all that the server offers. */
const answersAll = /^(?:call_tool|read_resource|get_prompt)$/;

/** What the first text in a function says, as tools of Python describe themselves. */
export function docOf(fn: FunctionForm): string {
  const [first] = fn.body;
  const value = first?.is === 'do' ? first.value : undefined;
  return value?.is === 'literal' && typeof value.value === 'string' ? value.value : '';
}

/** What a mark is given, where its function is declared. */
const valueOf = (expression: Expression, { module, self, around }: FunctionValue, machine: Machine) =>
  machine.evaluate(expression, {
    module,
    scope: new Scope(around ?? machine.topOf(module)),
    self,
    fn: undefined,
    exits: [],
    depth: 0,
  });

/** A function that is marked as a tool or a route: by decorator, annotation or attribute. */
export function ofMark(fn: FunctionValue, note: Note, machine: Machine): boolean {
  const mark = fn.fn.marks.find((each) => Object.hasOwn(markKinds, markName(each)));
  const kind = mark === undefined ? undefined : markKinds[markName(mark)];
  if (kind === undefined || mark === undefined) return false;
  const args = mark.is === 'call' ? mark.args : [];
  const written = (name: string) => {
    const value = args.find((arg) => arg.name === name)?.value;
    return value?.is === 'literal' && typeof value.value === 'string' ? value.value : undefined;
  };
  const given = args.find((arg) => arg.name === 'description')?.value;
  const { description, ...unread } =
    given === undefined ? { description: docOf(fn.fn) } : wordsAt(valueOf(given, fn, machine));
  note({
    kind,
    name: written('name') ?? fn.fn.name,
    description,
    fn,
    definition: unread,
    isForAll: answersAll.test(markName(mark)),
  });
  return true;
}
