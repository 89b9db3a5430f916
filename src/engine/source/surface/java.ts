/** What Java's frameworks call, where it differs from other languages: objects with one method, and requests in contexts. */
import type { Parameter } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { Machine } from '../taint/frame.ts';
import { topFrame } from '../taint/top-frame.ts';
import type { FunctionValue, Value } from '../taint/value.ts';
import type { Note } from './offer.ts';

/** The method by which a library calls an object that it was given as a function. */
const calledMethods = ['apply', 'call', 'handle', 'accept', 'execute', 'handleRequest', 'invoke'];

/** The function that an object of the project is for a library: `new Lookup()` that implements `Function`. */
export function functionOfObject(value: Value, machine: Machine): FunctionValue | undefined {
  const { instance } = value;
  if (value.fn !== undefined || instance === undefined || instance.module.grammar !== 'java')
    return undefined;
  for (const name of calledMethods) {
    const method = machine.methodOf(instance, name);
    if (method !== undefined && method.fn.isAbstract !== true) return { ...method, self: value };
  }
  return undefined;
}

/** What holds a whole request, of the frameworks that give their handlers one object for all. */
const requests =
  /^(?:HttpExchange|HttpsExchange|ServerRequest|RoutingContext|HttpServerExchange|HttpServerRequest|HttpServletRequest|ToolExecutionRequest|ToolCallArguments)$/;
const contextOfJavalin = /\bimport (?:static )?io\.javalin\b/;

const isRequest = ({ type = '' }: Parameter, text: string): boolean =>
  requests.test(type) || (type === 'Context' && contextOfJavalin.test(text));

/** A function that its type shows to be given a request of one of Java's frameworks. */
export function ofRequestType(fn: FunctionValue, note: Note): boolean {
  const { fn: form, module } = fn;
  if (module.grammar !== 'java') return false;
  const request = form.parameters.find((each) => isRequest(each, module.text));
  if (request?.target.is !== 'name') return false;
  const kind = request.type?.startsWith('Tool') === true ? 'tool' : 'http';
  // Helpers of a handler are given the request as well: what else they get is not the caller's.
  const inputs = new RegExp(`^${request.target.name}$`);
  note({ kind, name: form.name, description: '', fn, inputs });
  return true;
}

/** What a framework gives a handler of requests besides them. */
const besides =
  /\b(?:\w*(?<!Tool)Response|HttpSession|Principal|Authentication|Jwt|Model|ModelMap|BindingResult|Errors|RedirectAttributes|UriComponentsBuilder|SecurityContext|Sse\w*|Locale|TimeZone|Pageable)\b/;

/** Whether a parameter of a handler of requests is filled by its framework; its name says nothing there. */
export const isBesideRequest = ({ target, type = '' }: Parameter): boolean =>
  besides.test(type) ||
  (type === '' && target.is === 'name' && /^(?:next|res|resp|response)$/.test(target.name));

/** `@Bean @Description("…") Function<Request, Response> lookup()`: what it gives is a tool of Spring AI. */
export function functionOfBean(fn: FunctionValue, machine: Machine): FunctionValue | undefined {
  if (fn.module.grammar !== 'java') return undefined;
  const names = new Set(fn.fn.marks.map(markName));
  if (!names.has('Bean') || !names.has('Description')) return undefined;
  const nothing = { is: 'literal', value: null, at: fn.fn.at, end: fn.fn.end } as const;
  const { value } = machine.call(fn, [], topFrame(fn.module, machine), nothing);
  return value.fn ?? functionOfObject(value, machine);
}

/** Calls that register a tool of Java's libraries. */
export const javaTools =
  /(?:^|[.?])(?:FunctionToolCallback|FunctionCallbackWrapper)\.builder$|(?:^|[.?])FunctionCallback\.builder\(\)(?:\.\w+\(\))*\.function$|\.newTool\(\)(?:\.\w+\(\))*\.setHandler(?:Async)?$/;
