type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const empty: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

function exampleOf(schema: unknown): unknown {
  if (!isSchema(schema)) return null;
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  const [first] = [schema['examples'], schema['enum']].flatMap((given) =>
    Array.isArray(given) ? (given as unknown[]) : [],
  );
  if (first !== undefined) return first;
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'number' || type === 'integer') return schema['minimum'] ?? 0;
  return typeof type === 'string' ? (empty[type] ?? null) : null;
}

/** Arguments to begin with: those that a tool's schema requires, with their defaults or empty. */
export function exampleArguments(inputSchema: unknown): Record<string, unknown> {
  const schema = isSchema(inputSchema) ? inputSchema : {};
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.fromEntries(
    required.flatMap((name) => (typeof name === 'string' ? [[name, exampleOf(properties[name])]] : [])),
  );
}
