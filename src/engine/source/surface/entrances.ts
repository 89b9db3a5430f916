import type { Expression, Parameter } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import type { Frame, Given, Machine } from '../taint/frame.ts';
import { isTokenParameter, tokenParameter } from '../taint/caller-tokens.ts';
import { fieldsBySchema } from '../taint/schemas.ts';
import type { Source } from '../taint/taints.ts';
import { fieldOf, type FunctionValue, type Value } from '../taint/value.ts';
import { constrainedParameter } from './constraints.ts';
import { followsContext, functionIn, functionsIn, handlerNames, ofBehind, ofSeveral } from './definitions.ts';
import { dependencyValue } from './dependencies.ts';
import { describedBy, saidInChain } from './registered-words.ts';
import { capitalised, textAt, wordsAt } from './written.ts';
import { type Declarations, declares } from './declarations.ts';
import {
  builtDefinition,
  configFields,
  type Definition,
  definitionIn,
  inputsOf,
  registeredDefinition,
  schemaIn,
} from './definition.ts';
import { requestOf } from './kinds-of-calls.ts';
import { docOf, ofMark } from './marked.ts';
import { isFilledByOthers } from './filled.ts';
import { functionOfObject } from './java.ts';
import type { EntranceKind, Note, Offer } from './offer.ts';
import { isDispatcher } from './own-protocol.ts';
import { ofRoute, registersRoute } from './routes.ts';
import { isWorkersMethod, ofAnsweringObject, ofListener } from './listeners.ts';
import { meaningOf } from './meanings.ts';
import { ofRequests, ofToolStruct } from './rust-entrances.ts';
import { toolClassOf } from './tool-classes.ts';
import { isMethodOfView } from './views.ts';

/** A function that is called with what somebody else chose. */
export interface Handler {
  kind: EntranceKind;
  name: string;
  description: string;
  fn: FunctionValue;
  /** Values of its parameters. */
  args: Given[];
  /** What is said besides the description. */
  definition?: Definition;
  /** It answers requests for all that the server offers. */
  isForAll?: true;
}

const sourceKind = (kind: EntranceKind): Source['kind'] =>
  kind === 'http' || kind === 'exported' ? kind : 'tool';

const taintedBy = (source: Source, module: SourceModule, at: { at: number; end: number }): Value => ({
  taints: [
    {
      source,
      cleared: 0,
      step: { module, at: at.at, end: at.end, text: source.name, before: undefined, count: 0 },
    },
  ],
});

/** The value of a parameter: tainted, by its fields where a schema tells them apart. */
function parameterValue(
  parameter: Parameter,
  { source, schema }: { source: Source; schema: Value | undefined },
  fn: FunctionValue,
  machine: Machine | undefined,
): Value {
  const whole = constrainedParameter(
    parameter,
    taintedBy(source, fn.module, parameter.target),
    fn.module,
    machine,
  );
  const properties = schema?.fields?.get('shape') ?? schema;
  if (properties?.fields === undefined) return whole;
  return { taints: [], fields: fieldsBySchema(properties.fields, whole, machine) };
}

function sourceOf(offer: Offer, id: number): Source {
  const { kind, name, description, offers, isForAll } = offer;
  const inputs = inputsOf(offer.definition);
  const offered = kind === 'resource' || kind === 'prompt' ? kind : offers;
  return {
    id,
    kind: sourceKind(kind),
    name,
    description,
    ...(offered !== undefined && { offers: offered }),
    ...(isForAll === true && { isForAll }),
    ...(inputs !== undefined && inputs.size > 0 && { inputs }),
  };
}

const noValue: Value = { taints: [] };

const withCallersToken = (value: Value, parameter: Parameter, { module }: FunctionValue): Value =>
  isTokenParameter(parameter)
    ? tokenParameter(value, { module, at: parameter.target.at, end: parameter.target.end })
    : value;

/** Rocket makes a path of the parts of an address, and refuses what leads out or is hidden. */
const isOfSegments = ({ type }: Parameter, { grammar, text }: SourceModule): boolean =>
  grammar === 'rust' &&
  type !== undefined &&
  /^(?:std::path::)?PathBuf$/.test(type) &&
  /\brocket::/.test(text);

/** What a framework makes for a route of what the caller gives. */
function ofDependency(parameter: Parameter, { kind, fn, machine }: Offer, source: Source): Value | undefined {
  if (kind !== 'http' || machine === undefined || fn.module.grammar !== 'python') return undefined;
  return dependencyValue(parameter, fn, taintedBy(source, fn.module, parameter.target), machine);
}

/** The handler of an offer; `id` tells its input from that of others. */
export function handlerOf(offer: Offer, id: number): Handler {
  const { kind, name, description, fn, schema, firstOnly, inputs, machine } = offer;
  const source = sourceOf(offer, id);
  // Go's handlers get what the caller gave behind the context and the request.
  const firstGiven = fn.module.grammar === 'go' ? 2 : 0;
  const isTold =
    inputs !== undefined &&
    fn.fn.parameters.some(({ target }) => target.is !== 'name' || inputs.test(target.name));
  const args = fn.fn.parameters.map((parameter, at): Given => {
    const own = parameter.target.is === 'name' ? parameter.target.name : '';
    const isOther = isTold && parameter.target.is === 'name' && !inputs.test(own);
    const isBehind = (firstOnly === true && at > firstGiven) || isOther;
    const isOurs =
      isBehind || isOfSegments(parameter, fn.module) || isFilledByOthers(parameter, kind, fn.module.grammar);
    const value = isOurs
      ? ofDependency(parameter, offer, source)
      : parameterValue(parameter, { source, schema: at === 0 ? schema : undefined }, fn, machine);
    const expression: Expression = { is: 'literal', value: null, at: fn.fn.at, end: fn.fn.end };
    return { value: withCallersToken(value ?? noValue, parameter, fn), expression, isSpread: false };
  });
  const own = offer.isOfFields === true ? taintedBy(source, fn.module, fn.fn) : undefined;
  return {
    kind,
    name,
    description,
    fn: own === undefined ? fn : { ...fn, self: { ...fn.self, ...own } },
    args,
    ...(offer.definition !== undefined && { definition: offer.definition }),
    ...(offer.isForAll === true && { isForAll: true }),
  };
}

interface Called {
  name: string;
  kind: EntranceKind;
  args: readonly Given[];
  expression: Expression;
}

/** What the arguments of a registration say, wherever it stands among them. */
function saidByCall(options: readonly Value[]) {
  const configured =
    options.find((value) => configFields.some((name) => value.fields?.has(name))) ??
    // `&mcp.Tool{Name: name}` says nothing else.
    options.find(({ fields, fn }) => fn === undefined && fields?.has('Name') === true);
  const config = configured?.fields;
  const schema = schemaIn([config?.get('inputSchema'), config?.get('parameters'), ...options]);
  const named = (field: string) => textAt(config?.get(field) ?? config?.get(capitalised(field)));
  const built = builtDefinition(options);
  const { description, ...unread } = describedBy(configured, options, built);
  return {
    name: textAt(options[0]) || named('name') || (built?.name ?? ''),
    description,
    schema,
    definition: { ...built, ...registeredDefinition(configured, schema, options), ...unread },
  };
}

/** Functions that a value is, or that it is for a library. */
function handlersIn(value: Value, machine: Machine): readonly FunctionValue[] {
  const own = functionOfObject(value, machine);
  return own === undefined ? functionsIn(value) : [own];
}

function ofCall({ name: callee, kind, args, expression }: Called, note: Note, machine: Machine): void {
  const options = args.map(({ value }) => value);
  const { name: own, description: ownWords, schema, definition } = saidByCall(options);
  const chained = saidInChain(expression);
  const name = own || chained.name;
  const description = ownWords || chained.description;
  const request = requestOf(callee, args);
  // Java's handlers get the exchange first, and then what the caller gave; Python's have a parameter for each argument.
  const givesAll = (value: Value) =>
    /^(?:java|python)$/.test(handlersIn(value, machine)[0]?.module.grammar ?? '');
  const firstOnly = kind !== 'resource' && !options.some(givesAll);
  for (const fn of options.flatMap((value) => handlersIn(value, machine)))
    note({
      kind,
      name: name || fn.fn.name,
      description,
      fn,
      schema,
      firstOnly,
      machine,
      definition,
      ...request,
    });
}

const toolFields = ['description', 'inputSchema', 'input_schema', 'parameters', 'schema'];

/** `{name, description, inputSchema, handler}` in a table of tools. */
function ofObject(whole: Value, note: Note, machine: Machine): void {
  const value = definitionIn(whole);
  if (!toolFields.some((name) => value.fields?.has(name))) return;
  const fn = handlerNames.map((name) => whole.fields?.get(name)?.fn).find((each) => each !== undefined);
  if (fn === undefined) return;
  const schema = schemaIn([
    fieldOf(value, 'inputSchema'),
    fieldOf(value, 'parameters'),
    fieldOf(value, 'schema'),
  ]);
  const { description, ...unread } = wordsAt(value.fields?.get('description'));
  const isBehind = followsContext(fn);
  note({
    kind: 'tool',
    name: textAt(whole.fields?.get('name')) || textAt(value.fields?.get('name')) || fn.fn.name,
    description,
    fn,
    schema,
    definition: { ...registeredDefinition(value, schema, []), ...unread },
    firstOnly: !isBehind,
    ...(isBehind && { inputs: ofBehind }),
    machine,
  });
}

/** What the name of a call says that it registers. */
function ofName(
  name: string,
  { args, expression }: Pick<Called, 'args' | 'expression'>,
  note: Note,
  machine: Machine,
): void {
  ofRequests(name, args, note);
  const meaning = meaningOf(name);
  if (meaning === undefined) return;
  if (meaning === 'listener') ofListener(name, args, note);
  if (meaning === 'route' || meaning === 'listener') {
    if (args.length > 0 && registersRoute(name)) ofRoute(name, args, note, machine);
  } else if (meaning === 'several') {
    const values = args.map(({ value }) => value);
    ofSeveral(values, note, machine);
  } else ofCall({ name, kind: meaning, args, expression }, note, machine);
}

/** What the source says that an object is. */
const typeOf = (expression: Expression): string =>
  expression.is === 'object' ? (expression.type ?? '') : '';

/** Looks whether a call, a decorator or an object offers a handler. */
export const registerWith =
  (note: Note, declarations: Declarations) =>
  (
    name: string,
    args: readonly Given[],
    { module }: Frame,
    machine: Machine,
    expression: Expression,
  ): void => {
    const { at, end } = expression;
    const first = args[0]?.value;
    if (name === '@') {
      if (first?.fn !== undefined) ofMark(first.fn, note, machine);
      return;
    }
    if (name === '{}') {
      if (first === undefined) return;
      ofObject(first, note, machine);
      ofAnsweringObject(first, note);
      if (functionIn(first) === undefined)
        declarations.ofObject(first, { module, at, end }, typeOf(expression));
      return;
    }
    if (declares(name)) declarations.ofCall(name, args, { module, at, end });
    ofName(name, { args, expression }, note, machine);
  };

const handlerName =
  /^(?:handle_?)?(?:call_?tools?|tools?_?call|execute_?tool|tool_?execut\w*)(?:_?request|_?handler)?$/i;
const requestTypes =
  /\b(?:CallToolRequest(?:Params?)?|CallToolParams\w*|ReadResourceRequest(?:Params?)?|GetPromptRequest(?:Params?)?|http\.Request|HttpServletRequest|NextRequest|IncomingMessage|FastifyRequest|Request)\b/;

/** What a function that answers calls of tools names the call: what else it takes is the server's own. */
const ofCallNames =
  /name|tool|arg|param|input|req|payload|body|call|data|message|msg|props|options|method|rpc|line/i;

const httpTypes = /http|Servlet|Next|Incoming|Fastify|\bRequest\b/;
const toolTypes = /CallTool|ReadResource|GetPrompt/;
const extractors = /(?:Path|Query|Json|Form|Multipart)<|HttpRequest/;

/** A function that a framework calls for a route, by where it stands or by what it takes. */
function isRouteByShape(fn: FunctionValue): boolean {
  const { fn: form, module } = fn;
  if (isMethodOfView(fn) || isWorkersMethod(fn)) return true;
  if (/(?:^|\/)route\.[jt]s$/.test(module.path)) return /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(form.name);
  if (module.grammar !== 'rust' || form.owner !== undefined) return false;
  return form.parameters.some(({ type }) => extractors.test(type ?? ''));
}

function ofToolClass(fn: FunctionValue, note: Note): boolean {
  const tool = toolClassOf(fn);
  if (tool !== undefined) note({ kind: 'tool', ...tool, fn });
  return tool !== undefined;
}

/** A function that its name or its types show to be a handler, wherever it is registered. */
export function ofShape(fn: FunctionValue, note: Note): boolean {
  if (isDispatcher(fn)) {
    note({ kind: 'tool', name: '', description: '', fn, inputs: ofCallNames, isForAll: true });
    return true;
  }
  return ofToolStruct(fn, note) || ofToolClass(fn, note) || ofSignature(fn, note);
}

/** `string | URL | Request` and methods of clients: what is to be sent, and not what came in. */
const isSent = (type: string, owner: string | undefined): boolean =>
  /\bstring\b[^<]*\|[^<]*\bRequest\b|\bRequest\b[^<]*\|[^<]*\bstring\b/.test(type) ||
  (/^(?:Request|globalThis\.Request)$/.test(type) && /(?:Client|SDK|Sdk|Fetcher)$/.test(owner ?? ''));

/** What takes a request, or has the name of what does. */
function ofSignature(fn: FunctionValue, note: Note): boolean {
  const { fn: form } = fn;
  const type = form.parameters
    .map((each) => each.type ?? '')
    .find((each) => requestTypes.test(each) && !isSent(each, form.owner));
  const isRoute = isRouteByShape(fn);
  const isNamed = type === undefined && !isRoute;
  if (isNamed && !handlerName.test(form.name)) return false;
  const isHttp = isRoute || (type !== undefined && httpTypes.test(type) && !toolTypes.test(type));
  note({
    kind: isHttp ? 'http' : 'tool',
    name: form.name,
    description: docOf(form),
    fn,
    ...(isNamed ? { inputs: ofCallNames, isForAll: true } : {}),
  });
  return true;
}
