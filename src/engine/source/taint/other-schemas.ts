/** Schemas of other libraries than zod: valibot, arktype and typebox. */
import type { Given } from './frame.ts';
import { type Model, valueAt } from './model.ts';
import { isFreeType } from './types-of-input.ts';
import type { Value } from './value.ts';

/** `v.pipe(v.string(), v.regex(/…/))`: what the first one is, with what the others ask. */
const piped: Model = (call) => {
  const [first, ...others] = call.args.map(({ value }) => value);
  const pattern = others.find((each) => each.pattern !== undefined)?.pattern;
  // `v.transform(Number)` and its like make something else of it.
  const closed = others.find(({ ref = '' }) => !isFreeType(ref));
  const value = closed ?? first;
  return value === undefined || pattern === undefined ? value : { ...value, pattern };
};

/** `'number'`, `"'asc' | 'desc'"`, `'/^[a-z]+$/'` as arktype writes them. */
function saidByText(text: string): Value {
  const word = text.replace(/\s*=.*$/, '').trim();
  if (!isFreeType(word) || /^(?:number|string)\.(?:integer|numeric|uuid|date|digits)/.test(word))
    return { taints: [], ref: 'arktype.number()' };
  const pattern = /^\/(.*)\/$/.exec(word)?.[1];
  return { taints: [], ref: 'arktype.string()', ...(pattern === undefined ? {} : { pattern }) };
}

const optional = /\?$/;

/** `type({ name: 'string', 'age?': 'number' })` */
const arktype: Model = ({ args }) => {
  const [{ value } = { value: undefined }] = args;
  if (value?.fields === undefined) return undefined;
  const fields = [...value.fields].map(([name, said]): [string, Value] => [
    name.replace(optional, ''),
    typeof said.constant === 'string' ? saidByText(said.constant) : said,
  ]);
  return { taints: [], fields: new Map(fields), ref: 'arktype.z.object()' };
};

/** The option of that name which a schema is given: `Type.String({ pattern: '^[a-z]+$' })`. */
const optionOf = (args: readonly Given[], name: string): string | undefined => {
  const constant = args[0]?.value.fields?.get(name)?.constant;
  return typeof constant === 'string' ? constant : undefined;
};

const typeboxText: Model = ({ args, called }) => {
  const pattern = optionOf(args, 'pattern');
  const format = optionOf(args, 'format');
  const ref = format === 'uuid' || format === 'date' ? `${called.name}.uuid()` : `${called.name}()`;
  return { taints: [], ref, ...(pattern === undefined ? {} : { pattern }) };
};

/** One of several schemas; where each of them is closed the whole is. */
const typeboxUnion: Model = ({ args, called }) => {
  const each = [...(args[0]?.value.fields?.values() ?? [])];
  const isClosed = each.length > 0 && each.every(({ ref = '' }) => !isFreeType(ref));
  return { taints: [], ref: isClosed ? `${called.name}.Enum()` : `${called.name}()` };
};

const first: Model = (call) => valueAt(call, 0);

const typebox = (name: string): string =>
  ['@sinclair.typebox.Type', 'typebox.Type', 'elysia.t', '@sinclair.typebox', 'typebox']
    .map((library) => `${library}.${name}`)
    .join(' ');

/** By the names of what is called. */
export const otherSchemas: readonly (readonly [names: string, model: Model])[] = [
  ['valibot.pipe', piped],
  ['valibot.optional valibot.nullable valibot.nullish valibot.undefinedable', first],
  ['arktype.type', arktype],
  [typebox('String'), typeboxText],
  [typebox('Union'), typeboxUnion],
  [`${typebox('Optional')} ${typebox('Readonly')}`, first],
];

/** What makes a schema of an object there. */
export const otherObjects = `valibot.object valibot.strictObject valibot.looseObject ${typebox('Object')}`;
