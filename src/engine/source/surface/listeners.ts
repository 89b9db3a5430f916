/** What else hands requests to a server of JavaScript: lines of its input, sockets, workers, procedures and resolvers. */
import type { SourceModule } from '../modules.ts';
import type { Given } from '../taint/frame.ts';
import type { FunctionValue, Value } from '../taint/value.ts';
import type { Note } from './offer.ts';
import { isAnsweringCalls } from './own-protocol.ts';
import { textAt } from './written.ts';

const isListener = /\.(?:on|addListener|addEventListener)$/;

/** Lines and chunks that a client writes: a command of a terminal reads them too, so that the file must speak of the protocol. */
const ofInput = /(?:^|[.?])(?:process\.)?stdin\.|^readline\.createInterface\(\)\./;
const ofSockets = /^(?:ws|socket\.io|faye-websocket|uWebSockets\.js|@fastify\.websocket|isomorphic-ws)\b/;

/** `initTRPC.create().procedure.input(…).mutation(f)` */
const procedures = /[pP]rocedure(?:\(\))?(?:\.\w+\(\))*\.(?:query|mutation|subscription)$/;
const eventHandlers =
  /(?:^|[.?])(?:define(?:Cached|Lazy|Request|WebSocket)?EventHandler|eventHandler|defineHandler)$/;
/** What runs for each request, before or in place of routes. */
const middlewares =
  /^(?:koa|express|connect|polka|restify\.createServer|@hono\.hono|hono\.Hono)(?:\.\w+)?\(\)\.use$/;

/** Whether a call of this name may hand on requests. */
export const mayListen = (name: string): boolean =>
  isListener.test(name) || procedures.test(name) || eventHandlers.test(name) || middlewares.test(name);

function listens(name: string, event: string, { text }: SourceModule): boolean {
  if (!isListener.test(name)) return true;
  if (ofInput.test(name)) return /^(?:line|data)$/.test(event) && isAnsweringCalls(text);
  return ofSockets.test(name) && /^connect(?:ion)?$/.test(event);
}

/** Four parameters are those of a function for errors, the first of which is one. */
const isForErrors = (name: string, { fn }: FunctionValue): boolean =>
  middlewares.test(name) && fn.parameters.length === 4;

/** Notes the function that a call registers for requests without a path. */
export function ofListener(name: string, args: readonly Given[], note: Note): void {
  const event = textAt(args[0]?.value);
  // A path is a route, which is looked at as one.
  if (middlewares.test(name) && event !== '') return;
  for (const { value } of args) {
    const { fn } = value;
    if (fn === undefined || fn.fn.parameters.length === 0 || isForErrors(name, fn)) continue;
    if (!listens(name, event, fn.module)) continue;
    const isOfInput = ofInput.test(name);
    note({
      kind: isOfInput ? 'tool' : 'http',
      name: isOfInput ? '' : `${name.slice(name.lastIndexOf('.') + 1)} ${event}`.trim(),
      description: '',
      fn,
      firstOnly: true,
      ...(isOfInput ? { isForAll: true } : {}),
    });
  }
}

const isRequest = /^_?req(?:uest)?$/i;
const resolved = ['Query', 'Mutation', 'Subscription'];
const ofArguments = /^(?:args?|inputs?|params?|variables|where|filter|data|id)$/i;

const firstName = ({ fn }: FunctionValue): string => {
  const target = fn.parameters[0]?.target;
  return target?.is === 'name' ? target.name : '';
};

/** `export default { async fetch(request, env) { … } }` of a worker, and the resolvers of a graph. */
export function ofAnsweringObject({ fields }: Value, note: Note): void {
  const fetch = fields?.get('fetch')?.fn;
  if (fetch !== undefined && isRequest.test(firstName(fetch)))
    note({ kind: 'http', name: 'fetch', description: '', fn: fetch, firstOnly: true });
  for (const kind of resolved)
    for (const [name, { fn }] of fields?.get(kind)?.fields ?? [])
      if (fn !== undefined && fn.fn.parameters.length > 1)
        note({ kind: 'http', name, description: '', fn, inputs: ofArguments });
}

/** `async fetch(request) { … }` of a class, as workers and their objects have it. */
export const isWorkersMethod = (fn: FunctionValue): boolean =>
  fn.fn.name === 'fetch' &&
  fn.self?.instance !== undefined &&
  isRequest.test(firstName(fn)) &&
  fn.self.instance.form.bases.some((base) =>
    /(?:DurableObject|WorkerEntrypoint|McpAgent|Agent)\b/.test(base),
  );
