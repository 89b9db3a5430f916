/** Classes of Python whose methods answer requests, one for each method of HTTP. */
import { isTainted, type FunctionValue, type Value } from '../taint/value.ts';
import type { Frame } from '../taint/frame.ts';
import type { Source } from '../taint/taints.ts';

const verbs = /^(?:get|post|put|patch|delete|head|options)$/;
const views = /(?:^|\.)(?:MethodView|APIView|HTTPEndpoint|RequestHandler|HTTPMethodView|web\.View)$/;
const handlers = /(?:^|\.)(?:Base|Simple)HTTPRequestHandler$/;

/** Whether a framework calls this method with a request. */
export function isMethodOfView({ fn, module, self }: FunctionValue): boolean {
  const bases = self?.instance?.form.bases ?? [];
  if (module.grammar !== 'python') return false;
  if (/^do_[A-Z]+$/.test(fn.name)) return bases.some((base) => handlers.test(base));
  return verbs.test(fn.name) && bases.some((base) => views.test(base));
}

/** What such a class keeps of the request at hand. */
const parts: readonly (readonly [names: RegExp, bases: RegExp])[] = [
  [/^(?:path|headers|rfile|raw_requestline)$/, handlers],
  [
    /^(?:request|get_(?:query_|body_)?arguments?|get_cookie|path_args|path_kwargs)$/,
    /(?:^|\.)RequestHandler$/,
  ],
  [/^request$/, /(?:^|\.)web\.View$/],
];

const source: Source = { id: -3, kind: 'http', name: 'request', description: '' };

/** A part of the request that an object of such a class holds, with its taint; undefined for everything else. */
export function partOfRequest(
  object: Value,
  property: string,
  { module, self }: Frame,
  { at, end }: { at: number; end: number },
): Value | undefined {
  if (module.grammar !== 'python' || self?.instance === undefined) return undefined;
  if (object.instance?.form !== self.instance.form || isTainted(object)) return undefined;
  const { bases: above } = self.instance.form;
  const isOf = (bases: RegExp) => above.some((base) => bases.test(base));
  const isPart = parts.some(([names, bases]) => names.test(property) && isOf(bases));
  if (!isPart) return undefined;
  return {
    taints: [{ source, cleared: 0, step: { module, at, end, text: '', before: undefined, count: 0 } }],
  };
}
