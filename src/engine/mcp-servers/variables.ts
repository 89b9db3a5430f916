/**
 * Variables in values of configurations, such as `${TOKEN}` and `${TOKEN:-none}`. What stands in the environment of whoever
 * scans goes to a server only where that was asked for.
 */

/** `${NAME}`, `${env:NAME}` and `${input:name}`, with a default or without. */
const pattern = /\$\{(?<name>(?:env:|input:)?[A-Za-z_][\w.-]*?)(?::-(?<given>[^}]*))?\}/g;

/** The variables of a text, as they are written, without their defaults. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(pattern)].map(({ groups }) => `\${${groups?.['name'] ?? ''}}`)),
];

type Environment = Readonly<Record<string, string | undefined>>;

/** One text with its variables: of the environment where there is one, else by their defaults; others stay. */
export function expandedText(text: string, env: Environment | undefined): string {
  return text.replaceAll(pattern, (whole, name: string, given: string | undefined) => {
    const own = name.startsWith('input:') ? undefined : env?.[name.replace(/^env:/, '')];
    // As a shell does, an empty variable takes its default.
    return (own === '' ? undefined : own) ?? given ?? whole;
  });
}

/** A definition of a server with the variables of all its texts; keys stay as they are. */
export function expanded(value: unknown, env: Environment | undefined, depth = 0): unknown {
  if (typeof value === 'string') return expandedText(value, env);
  if (typeof value !== 'object' || value === null || depth > 16) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => expanded(each, env, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, expanded(each, env, depth + 1)]),
  );
}

/** The variables that stand in a definition. */
export function leftVariables(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return variablesIn(value);
  if (typeof value !== 'object' || value === null || depth > 16) return [];
  return [...new Set(Object.values(value).flatMap((each: unknown) => leftVariables(each, depth + 1)))];
}
