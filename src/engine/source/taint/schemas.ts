import { patternBits } from './checks.ts';
import type { Machine } from './frame.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { otherObjects, otherSchemas } from './other-schemas.ts';
import { isObjectSchema, schemaShapes } from './schema-shapes.ts';
import { isTextBit } from './shown.ts';
import { isFreeType } from './types-of-input.ts';
import { topFrame } from './top-frame.ts';
import type { Expression } from '../form/form.ts';
import { cleared, fieldOf, type FunctionValue, isTainted, type Value } from './value.ts';

const ofLibrary = /(?:^|[.?])(?:z|zod)\./;

/** The parts of a schema's object are what the author said of its fields. */
const schemaObject: Model = ({ called, args }) => {
  const fields = args[0]?.value.fields;
  return fields === undefined ? undefined : { taints: [], fields, ref: `${called.name}()` };
};

/** `z.string().regex(/…/)`. */
const schemaPattern: Model = ({ called, args }) => {
  const pattern = args[0]?.value.pattern;
  return pattern === undefined ? undefined : { taints: [], ref: `${called.name}()`, pattern };
};

/** `z.string().ip()`, `z.ipv4()`, `z.string().datetime()`: of the letters that these formats have. */
const schemaFormat: Model = ({ called: { object, name } }) =>
  ofLibrary.test(object?.ref ?? name)
    ? { taints: [], ref: 'zod.z.string()', pattern: '^[0-9a-fA-FTZ.:+-]+$' }
    : object;

/** `z.string().refine((text) => !text.startsWith('-'))` */
const schemaRefined: Model = ({ called, args }) => {
  const { object } = called;
  const fn = args[0]?.value.fn;
  if (object === undefined || fn === undefined || !/(?:^|[.?])(?:z|zod)\./.test(object.ref ?? ''))
    return object;
  return { ...object, refinements: [...(object.refinements ?? []), fn] };
};

/** What a value is that passed the tests of its schema. */
function refined(field: Value, tests: readonly FunctionValue[], machine: Machine): Value {
  let value = field;
  for (const fn of tests) {
    const expression: Expression = { is: 'literal', value: null, at: fn.fn.at, end: fn.fn.end };
    const given = { value, expression, isSpread: false };
    const outcome = machine.call(fn, [given], topFrame(fn.module, machine), expression);
    value = cleared(value, outcome.yes[0] ?? 0);
  }
  return value;
}

/** `z.array(z.enum([…]))` holds what its elements may be. */
const schemaList: Model = ({ args }) => {
  const { ref, pattern, refinements } = args[0]?.value ?? {};
  if (ref === undefined) return undefined;
  return {
    taints: [],
    ref,
    ...(pattern === undefined ? {} : { pattern }),
    ...(refinements === undefined ? {} : { refinements }),
  };
};

/** What may be anything, among it an object with operators of a database. */
const isOpen = /(?:^|[.?])(?:z|zod|v|valibot)\.(?:any|unknown|json)\(\)/;

const maybeObject = (value: Value): Value => ({
  ...value,
  taints: value.taints.map((taint) => ({ ...taint, isParsed: true as const })),
});

/** A value that is no object, with what its schema says of it. */
function readBy({ ref = '', pattern, refinements }: Value, own: Value, machine: Machine | undefined): Value {
  if (!isFreeType(ref)) return { taints: [] };
  const field = refinements === undefined || machine === undefined ? own : refined(own, refinements, machine);
  if (isOpen.test(ref)) return maybeObject(field);
  if (pattern !== undefined && machine !== undefined) return cleared(field, patternBits(pattern, machine));
  return /\.string\(\)/.test(ref) ? cleared(field, isTextBit) : field;
}

/** The fields of an input, with what its schema says of them: numbers and one of several words are no free text. */
export function fieldsBySchema(
  said: ReadonlyMap<string, Value>,
  input: Value,
  machine: Machine | undefined,
): Map<string, Value> {
  const fields = new Map<string, Value>();
  for (const [name, schema] of said) {
    const own = fieldOf(input, name);
    if (schema.fields !== undefined && isObjectSchema(schema) && isTainted(own)) {
      fields.set(name, { taints: [], fields: fieldsBySchema(schema.fields, own, machine) });
      continue;
    }
    fields.set(name, readBy(schema, own, machine));
  }
  fields.set('*', input);
  return fields;
}

/** `Schema.parse(input)`, and `Schema.safeParse(input).data`. */
const parsedBySchema: Model = ({ called, args, machine }) => {
  const { object } = called;
  const input = args[0]?.value;
  if (object === undefined || !ofLibrary.test(object.ref ?? '')) return undefined;
  if (input === undefined || !isTainted(input)) return undefined;
  if (object.fields !== undefined) return parsed(object.fields, input, { called, machine });
  return ofPart(object, input, { called, machine });
};

/** `Name.parse(text)` of a schema that is no object's: what it says of a field, it says of the whole. */
function ofPart(schema: Value, input: Value, { called, machine }: Pick<Call, 'called' | 'machine'>): Value {
  const alone: Value = { taints: [], fields: new Map([['', input]]) };
  const data = fieldsBySchema(new Map([['', schema]]), alone, machine).get('') ?? input;
  if (!called.method.startsWith('safe')) return data;
  return {
    taints: [],
    fields: new Map([
      ['data', data],
      ['error', { taints: input.taints }],
    ]),
  };
}

/** What comes of reading an input by a schema; beside it the error, where none is thrown. */
function parsed(
  said: ReadonlyMap<string, Value>,
  input: Value,
  { called, machine }: Pick<Call, 'called' | 'machine'>,
): Value {
  const data: Value = { taints: [], fields: fieldsBySchema(said, input, machine) };
  if (!called.method.startsWith('safe')) return data;
  return {
    taints: [],
    fields: new Map([
      ['data', data],
      ['output', data],
      ['error', { taints: input.taints }],
    ]),
  };
}

const ofFirstOrObject: Model = (call) =>
  call.called.object === undefined ? valueAt(call, 0) : call.called.object;

/** By the names of what is called, as in the library of all languages. */
export const schemaModels: readonly (readonly [names: string, model: Model])[] = [
  ...schemaShapes,
  ...otherSchemas,
  [
    `zod.z.object zod.object z.object zod.z.strictObject zod.strictObject z.strictObject zod.z.looseObject zod.looseObject z.looseObject ${otherObjects}`,
    schemaObject,
  ],
  ['**.strict **.passthrough **.strip **.partial', ofFirstOrObject],
  ['**.regex', schemaPattern],
  ['**.refine', schemaRefined],
  ['**.ip **.ipv4 **.ipv6 **.cidrv4 **.cidrv6 **.datetime', schemaFormat],
  ['zod.z.array zod.array z.array', schemaList],
  [
    'valibot.parse valibot.safeParse valibot.parseAsync valibot.safeParseAsync',
    (call) => {
      const [schema, input] = call.args;
      if (schema?.value.fields === undefined || input === undefined || !isTainted(input.value))
        return undefined;
      return parsed(schema.value.fields, input.value, call);
    },
  ],
  ['**.parse **.safeParse **.parseAsync **.safeParseAsync', parsedBySchema],
];
