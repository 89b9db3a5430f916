/** Schemas that are made of others: `base.extend({…})`, `z.preprocess(f, base)`, `a.and(b)`. */
import { jsonOf } from './said.ts';
import type { Given } from './frame.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { isFreeType } from './types-of-input.ts';
import { type Said, type Value } from './value.ts';

const ofLibrary = /(?:^|[.?])(?:z|zod)\./;
const ofObjects = /(?:^|[.?])(?:z|zod)\.(?:strict|loose)?[oO]bject\(\)/;

const isSchema = (value: Value | undefined): boolean => ofLibrary.test(value?.ref ?? '');

/** Whether a value is a schema of an object whose fields are known. */
export const isObjectSchema = (value: Value | undefined): boolean =>
  value?.fields !== undefined && ofObjects.test(value.ref ?? '');

const objectOf = (fields: ReadonlyMap<string, Value>): Value => ({
  taints: [],
  fields,
  ref: 'zod.z.object()',
});

/** What a library says of a schema, alone where its object or its name is the library's. */
const ofSchemas =
  (model: Model): Model =>
  (call) =>
    isSchema(call.called.object) || ofLibrary.test(call.called.name) ? model(call) : undefined;

const both = (a: Value | undefined, b: Value | undefined): Value | undefined =>
  a?.fields === undefined || b?.fields === undefined
    ? undefined
    : objectOf(new Map([...a.fields, ...b.fields]));

const extended: Model = ({ called: { object }, args }) =>
  isObjectSchema(object) ? both(object, args[0]?.value) : undefined;

/** `z.intersection(a, b)`, `a.and(b)` */
const intersected: Model = ({ called: { object }, args }) =>
  isObjectSchema(object) ? both(object, args[0]?.value) : both(args[0]?.value, args[1]?.value);

const chosen =
  (isKept: boolean): Model =>
  ({ called: { object }, args }) => {
    if (!isObjectSchema(object)) return undefined;
    const names = args[0]?.value.fields;
    const fields = [...(object?.fields ?? [])].filter(([name]) => names?.has(name) === isKept);
    return objectOf(new Map(fields));
  };

const sameObject: Model = ({ called: { object } }) => (isObjectSchema(object) ? object : undefined);

/** What each of several schemas says: all fields of objects together, as whoever calls gives those of one of them. */
function saidByEither(schemas: readonly Value[]): Said {
  if (schemas.length > 0 && schemas.every(isObjectSchema)) {
    const fields = new Map(schemas.flatMap(({ fields: own = new Map<string, Value>() }) => [...own]));
    const said = jsonOf(objectOf(fields));
    return typeof said === 'object' && said !== null ? (said as Said) : {};
  }
  return { anyOf: schemas.map((each) => jsonOf(each)) };
}

const schemasIn = (args: readonly Given[]): Value[] =>
  args
    .flatMap(({ value }) => (isSchema(value) ? [value] : [...(value.fields?.values() ?? [])]))
    .filter(isSchema);

/** The fields of the one object among numbers and the like: `z.union([z.boolean(), z.object({…})])`. */
function onlyObjectIn(schemas: readonly Value[]): ReadonlyMap<string, Value> | undefined {
  const [object, ...more] = schemas.filter(isObjectSchema);
  const others = schemas.filter((each) => each !== object);
  return more.length === 0 && others.every(({ ref = '' }) => !isFreeType(ref)) ? object?.fields : undefined;
}

/** `z.union([a, b])`, `z.discriminatedUnion('kind', [a, b])`, `a.or(b)` */
const united: Model = ({ called: { object, name }, args }) => {
  const schemas = [
    ...(object !== undefined && isSchema(object) && object.ref?.endsWith('.z') !== true ? [object] : []),
    ...schemasIn(args),
  ];
  const fields = onlyObjectIn(schemas);
  if (fields !== undefined) return { ...objectOf(fields), said: saidByEither(schemas) };
  return schemas.length === 0
    ? undefined
    : {
        taints: [],
        // `z.union([z.literal('a'), z.number()])` is no free text.
        ref: schemas.every(({ ref = '' }) => !isFreeType(ref))
          ? 'zod.z.enum()'
          : `${name.replace(/^\?/, '')}()`,
        said: saidByEither(schemas),
      };
};

/** `z.lazy(() => base)` */
const later: Model = ({ expression, args, machine, frame }) => {
  const fn = args[0]?.value.fn;
  return fn === undefined ? undefined : machine.call(fn, [], frame, expression).value;
};

/** What comes behind another function is what a schema lets through: `z.preprocess(f, schema)`. */
const second: Model = (call) => {
  const value = valueAt(call, 1);
  return isSchema(value) ? value : undefined;
};

/** `Object.assign`-like methods of lists have the names of some of these: only schemas are meant. */
export const schemaShapes: readonly (readonly [names: string, model: Model])[] = [
  ['z.preprocess zod.z.preprocess zod.preprocess', ofSchemas(second)],
  ['z.pipe zod.z.pipe zod.pipe', ofSchemas(second)],
  ['z.intersection zod.z.intersection zod.intersection **.and', ofSchemas(intersected)],
  [
    'z.union zod.z.union zod.union z.discriminatedUnion zod.z.discriminatedUnion zod.discriminatedUnion z.xor zod.z.xor **.or',
    ofSchemas(united),
  ],
  ['z.lazy zod.z.lazy zod.lazy', ofSchemas(later)],
  ['**.safeExtend **.augment **.merge', ofSchemas(extended)],
  ['**.pick', ofSchemas(chosen(true))],
  ['**.omit', ofSchemas(chosen(false))],
  [
    '**.required **.deepPartial **.loose **.catchall **.readonly **.brand **.optional **.nullable **.nullish **.default **.prefault **.describe **.meta **.superRefine **.check',
    sameObject,
  ],
];

/** `base.extend({…})` of a schema; of a list it is another thing. */
export const extendedSchema = (call: Call): Value | undefined => extended(call);
