/** What a definition of a tool says besides its name and description. */
import { jsonOf, schemaOf } from '../taint/said.ts';
import type { Value } from '../taint/value.ts';
import { capitalised, textAt, wordsAt } from './written.ts';

/** As far as it is written in the source. */
export interface Definition {
  title?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  /** A part of its description is put together while the server runs. */
  isUnread?: true;
}

/** A definition with its name. */
export interface Named extends Definition {
  name: string;
  description: string;
}

type Part = (name: string) => Value | undefined;

export const inputNames = ['inputSchema', 'input_schema', 'parameters', 'args_schema', 'schema'];

/** Parts by any of their names, as languages write them. */
const partsOf =
  (value: Value): Part =>
  (name) =>
    value.fields?.get(name) ?? value.fields?.get(capitalised(name));

const firstOf = (part: Part, names: readonly string[]): Value | undefined =>
  names.map(part).find((each) => each !== undefined);

function definedBy(part: Part): Definition {
  const title = textAt(part('title'));
  const inputSchema = schemaOf(firstOf(part, inputNames));
  const outputSchema = schemaOf(firstOf(part, ['outputSchema', 'output_schema']));
  const annotations = part('annotations');
  const said = annotations === undefined ? undefined : jsonOf(annotations);
  return {
    ...(title !== '' && { title }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(typeof said === 'object' && said !== null && { annotations: said }),
  };
}

const isHint = /^(?:title|(?:readOnly|destructive|idempotent|openWorld)Hint)$/;

/** `server.tool('name', 'description', schema, { title: '…', readOnlyHint: true }, handler)` */
const annotationsAmong = (options: readonly Value[]): Value | undefined =>
  options.find(
    ({ fields }) =>
      fields !== undefined && fields.size > 0 && [...fields.keys()].every((name) => isHint.test(name)),
  );

/** What the arguments of a registration say; `schema` where it stands among them by itself. */
export function registeredDefinition(
  config: Value | undefined,
  schema: Value | undefined,
  options: readonly Value[],
): Definition {
  const own = config === undefined ? {} : definedBy(partsOf(config));
  const alone = own.inputSchema === undefined ? schemaOf(schema) : undefined;
  const annotations = own.annotations === undefined ? annotationsAmong(options) : undefined;
  return {
    ...own,
    ...(alone !== undefined && { inputSchema: alone }),
    ...(annotations !== undefined && { annotations: jsonOf(annotations) }),
  };
}

/** A definition in one object, or built step by step; undefined where it has no name. */
export function namedDefinition(value: Value): Named | undefined {
  const { said } = value;
  if (said !== undefined && typeof said['name'] === 'string') {
    const { name, description, title, inputSchema } = said;
    return {
      name,
      description: typeof description === 'string' ? description : '',
      ...(typeof title === 'string' && { title }),
      ...(inputSchema !== undefined && { inputSchema }),
    };
  }
  const part = partsOf(value);
  const name = textAt(part('name'));
  return name === '' ? undefined : { name, ...wordsAt(part('description')), ...definedBy(part) };
}

/** A definition among the arguments of a registration that was built step by step. */
export const builtDefinition = (options: readonly Value[]): Named | undefined =>
  options
    .filter(({ said }) => typeof said?.['name'] === 'string')
    .map(namedDefinition)
    .find((each) => each !== undefined);

/** Whether an object says what a tool takes: others have names and descriptions too. */
export const saysInput = ({ fields }: Value): boolean =>
  ['inputSchema', 'input_schema', 'InputSchema'].some((name) => fields?.has(name) === true);

const ofTypes = /(?:^|[.?])(?:z|zod|t|Type|v|s|valibot|arktype)\./;

/** What a function of another file made, of which nothing is known here. */
const isUnknown = ({ constant, fn, fields, ref }: Value): boolean =>
  constant === undefined && fn === undefined && fields === undefined && ref?.endsWith(')') !== false;

/** A schema among values: fields that were made by a library of types. */
export function schemaIn(values: readonly (Value | undefined)[]): Value | undefined {
  return values.find((value) => {
    const fields = [...((value?.fields?.get('shape') ?? value)?.fields?.values() ?? [])];
    const made = fields.filter(({ ref }) => ofTypes.test(ref ?? ''));
    const others = fields.filter((field) => !made.includes(field));
    return made.length > 0 && made.length >= others.length && others.every(isUnknown);
  });
}

/** What a definition of a tool has, in Go with a capital letter. */
export const configFields = ['description', 'inputSchema', 'Description', 'InputSchema'];

/** `{ name, config: { description, inputSchema }, handler }`: what a tool says of itself may be a part of it. */
export function definitionIn(value: Value): Value {
  const config = value.fields?.get('config');
  if (configFields.some((name) => config?.fields?.has(name) === true)) return config ?? value;
  // `{ schema: { name, description, inputSchema }, handle }`
  const parts = ['schema', 'definition', 'tool'].map((name) => value.fields?.get(name));
  const isWhole = (part: Value | undefined) =>
    ['description', 'inputSchema'].every((name) => part?.fields?.has(name) === true);
  return parts.find(isWhole) ?? value;
}

/** The names in the schema of a tool. */
export function inputsOf(definition: Definition | undefined): ReadonlySet<string> | undefined {
  const schema = definition?.inputSchema;
  const properties =
    typeof schema === 'object' && schema !== null && 'properties' in schema && schema.properties;
  return typeof properties === 'object' && properties !== null ? new Set(Object.keys(properties)) : undefined;
}
