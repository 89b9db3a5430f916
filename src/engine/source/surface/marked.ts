/** Functions that are marked as tools or routes: by decorators, annotations and attributes. */
import type { Expression, FunctionForm } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { SourceModule } from '../modules.ts';
import type { Machine } from '../taint/frame.ts';
import { topFrame } from '../taint/top-frame.ts';
import { Scope } from '../taint/scope.ts';
import { type FunctionValue } from '../taint/value.ts';
import { inputNames, registeredDefinition, schemaIn } from './definition.ts';
import { functionOfBean } from './java.ts';
import type { EntranceKind, Note, Offer } from './offer.ts';
import { textAt, wordsAt } from './written.ts';

const markKinds: Readonly<Record<string, EntranceKind>> = {
  tool: 'tool',
  Tools: 'tool',
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
  Prompt: 'prompt',
  Resource: 'resource',
  ResourceTemplate: 'resource',
  PUT: 'http',
  DELETE: 'http',
  PATCH: 'http',
  PatchMapping: 'http',
  MessageMapping: 'http',
  Get: 'http',
  Post: 'http',
  Put: 'http',
  Delete: 'http',
  Route: 'http',
  QueryMapping: 'http',
  MutationMapping: 'http',
  oai: 'http',
};

/** Further ones of TypeScript's frameworks: in other languages these names mean something else. */
const methodKinds: Readonly<Record<string, EntranceKind>> = {
  Resource: 'resource',
  ResourceTemplate: 'resource',
  Prompt: 'prompt',
  MCPTool: 'tool',
  Get: 'http',
  Post: 'http',
  Put: 'http',
  Delete: 'http',
  Patch: 'http',
  All: 'http',
  Head: 'http',
  Options: 'http',
  Sse: 'http',
  Query: 'http',
  Mutation: 'http',
  MessagePattern: 'http',
  EventPattern: 'http',
  SubscribeMessage: 'http',
};

const typescript = new Set(['typescript', 'tsx']);

function kindOfMark(mark: Expression, { module, fn }: FunctionValue): EntranceKind | undefined {
  const name = markName(mark);
  if (Object.hasOwn(markKinds, name)) return markKinds[name];
  const isMethod = fn.owner !== undefined && typescript.has(module.grammar);
  return isMethod && Object.hasOwn(methodKinds, name) ? methodKinds[name] : undefined;
}

/** Marks of functions that answer for all that the server offers. */
const answersAll = /^(?:call_tool|read_resource|get_prompt)$/;

/** What the first text in a function says, as tools of Python describe themselves. */
export function docOf(fn: FunctionForm): string {
  const [first] = fn.body;
  const value = first?.is === 'do' ? first.value : undefined;
  return value?.is === 'literal' && typeof value.value === 'string' ? value.value : '';
}

/** `@Tool('name', 'description', Schema)` */
function ofPlaces(module: SourceModule, mark: Expression, machine: Machine): Partial<Offer> {
  const values =
    mark.is === 'call'
      ? mark.args.map(({ value }) => machine.evaluate(value, topFrame(module, machine)))
      : [];
  const schema = schemaIn(values);
  if (schema === undefined) return {};
  const [name, description] = values.map(textAt).filter((text) => text !== '');
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    schema,
    definition: registeredDefinition(undefined, schema, []),
    machine,
  };
}

/** `@Tool({ name, description, parameters })` */
function ofSettings({ module }: FunctionValue, mark: Expression, machine: Machine): Partial<Offer> {
  const settings =
    mark.is === 'call' ? mark.args.find(({ value }) => value.is === 'object')?.value : undefined;
  if (!typescript.has(module.grammar)) return {};
  if (settings === undefined) return ofPlaces(module, mark, machine);
  const value = machine.evaluate(settings, topFrame(module, machine));
  const name = textAt(value.fields?.get('name'));
  const { description, ...unread } = wordsAt(value.fields?.get('description'));
  const schema = schemaIn(inputNames.map((each) => value.fields?.get(each)));
  return {
    ...(name !== '' && { name }),
    ...(description !== '' && { description }),
    ...(schema !== undefined && { schema }),
    definition: { ...registeredDefinition(value, schema, []), ...unread },
    machine,
  };
}

/** What a mark is given, where its function is declared. */
const valueOf = (expression: Expression, { module, self, around }: FunctionValue, machine: Machine) =>
  machine.evaluate(expression, {
    ...topFrame(module, machine),
    scope: new Scope(around ?? machine.topOf(module)),
    self,
  });

/** An interface of Java says what is offered, and classes derived from it what it does. */
function answeredBy(fn: FunctionValue, machine: Machine): readonly FunctionValue[] {
  const { instance } = fn.self ?? {};
  if (fn.fn.isAbstract !== true || instance === undefined) return [fn];
  const below = machine.methodsBelow(instance, fn.fn.name);
  return below.length === 0 ? [fn] : below;
}

/** `@Bean @Description("…")` of Spring AI, where what the method gives is the tool. */
function ofBean(fn: FunctionValue, note: Note, machine: Machine): boolean {
  const bean = functionOfBean(fn, machine);
  if (bean !== undefined) note({ kind: 'tool', name: fn.fn.name, description: '', fn: bean, machine });
  return bean !== undefined;
}

/** A function that is marked as a tool or a route: by decorator, annotation or attribute. */
export function ofMark(fn: FunctionValue, note: Note, machine: Machine): boolean {
  if (ofBean(fn, note, machine)) return true;
  const mark = fn.fn.marks.find((each) => kindOfMark(each, fn) !== undefined);
  const kind = mark === undefined ? undefined : kindOfMark(mark, fn);
  if (kind === undefined || mark === undefined) return false;
  const args = mark.is === 'call' ? mark.args : [];
  const written = (name: string) => {
    const value = args.find((arg) => arg.name === name)?.value;
    return value?.is === 'literal' && typeof value.value === 'string' ? value.value : undefined;
  };
  const given = args.find((arg) => arg.name === 'description')?.value;
  const { description, ...unread } =
    given === undefined ? { description: docOf(fn.fn) } : wordsAt(valueOf(given, fn, machine));
  for (const each of answeredBy(fn, machine))
    note({
      kind,
      name: written('name') ?? fn.fn.name,
      description,
      fn: each,
      definition: unread,
      isForAll: answersAll.test(markName(mark)),
      machine,
      ...(kind === 'http' ? {} : ofSettings(fn, mark, machine)),
    });
  return true;
}
