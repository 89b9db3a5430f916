import type { Frame } from './frame.ts';
import type { Source } from './taints.ts';
import type { Value } from './value.ts';

/** Requests that a framework keeps in a variable of its module rather than giving them to the handler. */
const requests = new Set([
  'flask.request',
  'quart.request',
  'bottle.request',
  'sanic.request',
  'cherrypy.request',
]);

/** What of a request its sender does not choose. */
const ofServer = new Set([
  'method',
  'remote_addr',
  'endpoint',
  'blueprint',
  'scheme',
  'is_secure',
  'environ',
]);

/** Methods of it that give what its sender wrote. */
const reads = /^(?:get_json|get_data|json|data|form|files|get_cookie|getvalue|get_header|get)$/;

const source: Source = { id: -2, kind: 'http', name: 'request', description: '' };

/** A part of such a request, with its taint; undefined for everything else. */
export function requestPart(
  object: Value,
  property: string,
  frame: Frame,
  { at, end }: { at: number; end: number },
): Value | undefined {
  if (object.ref === undefined || !requests.has(object.ref) || ofServer.has(property)) return undefined;
  const step = { module: frame.module, at, end, text: '', before: undefined, count: 0 };
  return { taints: [{ source, cleared: 0, step }], ref: `${object.ref}.${property}` };
}

/** What a method of such a request gives, `request.get_json()`; undefined for everything else. */
export const requestRead = (
  object: Value,
  method: string,
  frame: Frame,
  place: { at: number; end: number },
): Value | undefined => (!reads.test(method) ? undefined : requestPart(object, method, frame, place));
