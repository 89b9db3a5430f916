/** What a server parses of the body of a request, without saying what it may be: a text, or an object with operators. */
import type { Expression } from '../form/form.ts';
import { type Called, type Given, pathOf } from './frame.ts';
import { isTextBit } from './shown.ts';
import type { Taint } from './taints.ts';
import type { Value } from './value.ts';

const request = /(?:^|_)(?:req|request|c|ctx|event|r)$/i;
const parsers = /^(?:json|get_json|parseBody)$/;
const loaders = /(?:^|[.?])(?:JSON\.parse|json\.loads|orjson\.loads|ujson\.loads)$/;

const parsed = (value: Value): Value =>
  value.taints.some(({ source, isParsed }) => source.kind === 'http' && isParsed !== true)
    ? {
        ...value,
        taints: value.taints.map((taint) =>
          taint.source.kind === 'http' ? { ...taint, isParsed: true as const } : taint,
        ),
      }
    : value;

/** `req.body`, Express's `req.query`, Flask's `request.json` */
export function parsedProperty(value: Value, object: Expression, property: string): Value {
  const last = pathOf(object)?.at(-1) ?? '';
  const isBody =
    property === 'body' || property === 'json' ? request.test(last) : property === 'query' && last === 'req';
  return isBody ? parsed(value) : value;
}

/** `await request.json()`, `request.get_json()`, `JSON.parse(body)` */
export function parsedByCall(
  value: Value,
  { name, method, objectExpression }: Called,
  args: readonly Given[],
): Value {
  if (loaders.test(name)) return args.length === 0 ? value : parsed(value);
  if (objectExpression === undefined || !parsers.test(method)) return value;
  const last = pathOf(objectExpression)?.at(-1) ?? '';
  return request.test(last) ? parsed(value) : value;
}

const mayBeObject = ({ isParsed, isPart, cleared }: Taint): boolean =>
  isParsed === true && isPart !== true && (cleared & isTextBit) === 0;

const several = new Set(['$and', '$or', '$nor', '$match', '0', '1', '2', '*']);
/** What other libraries of databases call their conditions, whose values are no operators. */
const ofOthers = new Set(['where', 'include', 'attributes', 'select', 'order', 'data']);

/** Taint of a query that could be an operator: of the query, of its fields, and of those that are put together. */
export function operatorsIn({ taints, fields }: Value, depth = 0): Taint[] {
  const found = taints.filter(mayBeObject);
  if (depth > 3) return found;
  for (const [name, field] of fields ?? []) {
    if (several.has(name)) found.push(...operatorsIn(field, depth + 1));
    // What is compared by an operator that the author wrote is compared as it is.
    else if (!name.startsWith('$') && !ofOthers.has(name)) found.push(...field.taints.filter(mayBeObject));
  }
  return found;
}
