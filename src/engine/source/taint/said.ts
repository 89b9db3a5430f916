/** What a schema, or a definition that is built step by step, says in words that an agent reads. */
import type { Called, Given } from './frame.ts';
import type { Said, Value } from './value.ts';

const deepest = 12;
const mostNodes = 3000;

/** Names of types of schemas that say what JSON has in that place. */
const types: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  int: 'integer',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

const ofZod = /(?:^|\.)(?:z|zod)\.(?:coerce\.)?(\w+)\(\)/;
const isObject = /(?:^|\.)(?:z|zod)\.(?:strict|loose)?[oO]bject\(\)/;

const typeOf = (ref: string): Said => {
  const type = types[ofZod.exec(ref)?.[1]?.toLowerCase() ?? ''];
  return type === undefined ? {} : { type };
};

const isList = (fields: ReadonlyMap<string, Value>): boolean =>
  fields.size > 0 && [...fields.keys()].every((name) => /^(?:\d+|\*)$/.test(name));

/** A value as JSON, as far as it is written in the source; a schema as JSON Schema. */
export function jsonOf(value: Value, depth = 0, left = { nodes: mostNodes }): unknown {
  const { constant, fields, said, ref = '' } = value;
  if (constant !== undefined) return constant;
  if (value.written !== undefined) return value.written.text;
  if (depth > deepest || left.nodes-- <= 0) return {};
  if (fields === undefined) return { ...typeOf(ref), ...said };
  if (isList(fields)) return [...fields.values()].map((each) => jsonOf(each, depth + 1, left));
  const entries = [...fields].filter(([name]) => name !== '*');
  const made = Object.fromEntries(entries.map(([name, each]) => [name, jsonOf(each, depth + 1, left)]));
  // What was said before of a schema that this one was made of is not what its fields are now.
  return isObject.test(ref) ? { ...said, type: 'object', properties: made } : { ...made, ...said };
}

const isSchema = (value: object): boolean =>
  ['type', 'properties', '$schema', '$ref', 'anyOf', 'allOf', 'oneOf'].some(
    (key) => typeof (value as Said)[key] === 'string' || (key !== 'type' && key in value),
  );

/** The schema of an input as JSON Schema: also where it is given as its fields alone, or as text. */
export function schemaOf(value: Value | undefined): unknown {
  if (value === undefined) return undefined;
  const json = jsonOf(value);
  if (typeof json === 'string') return parsed(json);
  if (typeof json !== 'object' || json === null || Object.keys(json).length === 0) return undefined;
  return isSchema(json) ? json : { type: 'object', properties: json };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const record = (value: unknown): Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Said) : {};

type Saying = (called: Called, args: readonly Given[]) => Said | undefined;

const constantOf = (args: readonly Given[]): unknown =>
  args[0]?.value.constant ?? args[0]?.value.written?.text;

/** A word that is said under a name. */
const saying =
  (key: string, of: RegExp): Saying =>
  ({ name }, args) => {
    const constant = constantOf(args);
    return constant === undefined || !of.test(name) ? undefined : { [key]: constant };
  };

const anywhere = /./;
const ofGo = /^\??mcp\./;
const ofBuilder = /(?:^|[.?])Tool(?:\.builder)?\(\)/;
const ofTypeBox = /(?:^|[.?])(?:Type|t)\.[A-Z]\w*$/;

/** `mcp.WithString("note", mcp.Description("…"))` */
const goProperty: Saying = ({ name, method }, args) => {
  const [first, ...others] = args;
  if (!ofGo.test(name) || typeof first?.value.constant !== 'string') return undefined;
  const said = Object.assign({}, ...others.map(({ value }) => value.said ?? {})) as Said;
  const type = types[method.slice('With'.length).toLowerCase()];
  return { properties: { [first.value.constant]: { ...(type !== undefined && { type }), ...said } } };
};

/** `z.enum(['a', 'b'])`, `mcp.Enum("a", "b")` */
const choices: Saying = (_called, args) => {
  const given = args.map(({ value }) => jsonOf(value)).flat();
  return given.every((each) => typeof each === 'string') ? { enum: given } : undefined;
};

/** `Type.String({ description: '…' })`, `Type.Object({ … })` */
const typeBox: Saying = ({ name, method }, args) => {
  if (!ofTypeBox.test(name)) return undefined;
  const type = types[method.toLowerCase()];
  const parts = args.map(({ value }) => jsonOf(value));
  if (method === 'Object') return { type, properties: parts[0], ...record(parts[1]) };
  if (method === 'Array') return { type, items: parts[0], ...record(parts[1]) };
  return { ...(type !== undefined && { type }), ...record(parts.at(-1)) };
};

const ofArgument: Saying = (_called, args) =>
  args[0] === undefined ? undefined : record(jsonOf(args[0].value));

/** `Tool.builder().inputSchema(…)` */
const ofBuilders: Saying = ({ name }, args) =>
  ofBuilder.test(name) && args[0] !== undefined ? { inputSchema: schemaOf(args[0].value) } : undefined;

/** Java's `new McpSchema.Tool("name", "description", schema)` */
const ofConstructor: Saying = (_called, args) => {
  const [name, description, schema] = args.map(({ value }) => value);
  if (typeof name?.constant !== 'string') return undefined;
  const words = description?.constant ?? description?.written?.text;
  const inputSchema = schemaOf(schema);
  return {
    name: name.constant,
    ...(typeof words === 'string' && { description: words }),
    ...(inputSchema !== undefined && { inputSchema }),
  };
};

/** What calls say, by the last part of their names. */
const sayings = new Map<string, Saying>([
  ['describe', saying('description', anywhere)],
  ['default', saying('default', anywhere)],
  ['meta', ofArgument],
  ['openapi', ofArgument],
  ['literal', saying('const', /(?:^|[.?])(?:z|zod)\.literal$/)],
  ['enum', choices],
  ['Enum', choices],
  [
    'array',
    (_called, args) => (args[0] === undefined ? undefined : { type: 'array', items: jsonOf(args[0].value) }),
  ],
  ['Description', saying('description', ofGo)],
  ['Title', saying('title', ofGo)],
  ['DefaultString', saying('default', ofGo)],
  ['WithTitleAnnotation', saying('title', ofGo)],
  ...['String', 'Number', 'Boolean', 'Array', 'Object', 'Integer', 'Any'].map(
    (type) => [`With${type}`, goProperty] as const,
  ),
  ...['String', 'Number', 'Integer', 'Boolean', 'Object', 'Array', 'Optional', 'Literal', 'Enum'].map(
    (type) => [type, typeBox] as const,
  ),
  ['name', saying('name', ofBuilder)],
  ['title', saying('title', ofBuilder)],
  ['description', saying('description', ofBuilder)],
  ['inputSchema', ofBuilders],
  ['Tool', ofConstructor],
]);

/** `zodToJsonSchema(schema)`, `z.toJSONSchema(schema)` and what projects call their own. */
const asJson = /to_?json_?schema/i;

const sayingOf = (method: string): Saying | undefined =>
  sayings.get(method.replace(/^\?/, '')) ?? (asJson.test(method) ? ofArgument : undefined);

/** What a definition says after a call: what was said before, and what the call adds. */
export function saidBy(called: Called, args: readonly Given[]): Said | undefined {
  const { object } = called;
  const own = sayingOf(called.method)?.(called, args);
  const before =
    object?.said ??
    (object?.fields !== undefined && isObject.test(object.ref ?? '') ? record(jsonOf(object)) : undefined);
  return own === undefined || before === undefined ? (own ?? before) : { ...before, ...own };
}
