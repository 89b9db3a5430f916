/** Roles that rules speak of. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Of whom an approval is wanted, anywhere in a form. */
function approversIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  return [
    ...(value['is'] === 'approval' && value['from'] === 'checked' ? texts(value['by']) : []),
    ...Object.values(value).flatMap(approversIn),
  ];
}

/** Roles of the account itself, which an administrator gives. */
const ofAccounts = new Set(['admin', 'member']);

interface Ruled {
  readonly rules: Readonly<Record<string, { readonly rule?: unknown }>>;
  readonly enabled: boolean;
}

/** Roles whose approval rules of enabled policies want, each once. */
export function rolesWanted(policies: readonly Ruled[]): string[] {
  const found = policies
    .filter(({ enabled }) => enabled)
    .flatMap(({ rules }) => Object.values(rules).flatMap(({ rule }) => approversIn(rule)));
  const byPlain = new Map(found.map((role) => [role.toLowerCase(), role]));
  return [...byPlain.values()].filter((role) => !ofAccounts.has(role.toLowerCase())).toSorted();
}
