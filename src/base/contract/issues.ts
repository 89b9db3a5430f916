import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const path = (issue: Issue, part: string): string => {
  const dotted = issue.path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
  return dotted === '' ? `the ${part}` : `'${dotted}'`;
};

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

const typeNames: Record<string, string> = {
  int: 'integer',
  record: 'object',
  number: 'number',
  nan: 'number',
};

const plural = (count: number | bigint, noun: string) => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

function bound(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const least = issue.code === 'too_small';
  const limit = least ? issue.minimum : issue.maximum;
  const words = least ? 'at least' : 'at most';
  if (issue.origin === 'string') return `must have ${words} ${plural(limit, 'character')}`;
  if (issue.origin === 'array' || issue.origin === 'set')
    return `must have ${words} ${plural(limit, 'item')}`;
  return `must be ${words} ${limit}`;
}

const values = (items: readonly unknown[]) =>
  `${items.length > 1 ? 'one of ' : ''}${items.map((value) => JSON.stringify(value)).join(', ')}`;

const formats: Record<string, string> = {
  date: 'must be a day, such as 2026-01-31',
  datetime: 'must be an ISO 8601 time with a time zone, such as 2026-01-31T12:00:00Z',
};

const mostNamed = 5;
const longestNamed = 80;

/** Names of fields, as many as a person reads. */
function named(keys: readonly string[]): string {
  const shown = keys.slice(0, mostNamed).map((key) => JSON.stringify(key.slice(0, longestNamed)));
  const more = keys.length > mostNamed ? ` and ${keys.length - mostNamed} more` : '';
  return `the ${keys.length === 1 ? 'field' : 'fields'} ${shown.join(', ')}${more}`;
}

/** Our own patterns carry their own message. */
const wrongFormat = ({ format, message }: Extract<Issue, { code: 'invalid_format' }>): string =>
  format === 'regex' ? message : (formats[format] ?? `must be a valid ${format}`);

function complaint(issue: Issue): string {
  if (issue.code === 'invalid_type') return `must be ${article(typeNames[issue.expected] ?? issue.expected)}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') return bound(issue);
  if (issue.code === 'invalid_value') return `must be ${values(issue.values)}`;
  if (issue.code === 'invalid_format') return wrongFormat(issue);
  if (issue.code === 'invalid_key') return `has a name that ${issue.issues.map(complaint).join(' and ')}`;
  if (issue.code === 'invalid_union') return choice(issue.errors);
  if (issue.code === 'unrecognized_keys') return `must not have ${named(issue.keys)}`;
  return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
}

function choice(errors: readonly (readonly Issue[])[]): string {
  const types = typesOf(errors);
  return types.length === errors.length ? `must be ${types.join(' or ')}` : 'has none of the accepted forms';
}

/** Of a choice between types, what is wrong with the input in the one that it has. */
function ofItsType(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isOfType = (issues: readonly Issue[]) =>
    issues.every(({ code, path: keys }) => keys.length > 0 || code !== 'invalid_type');
  const [met, ...others] = issue.errors.filter((issues) => issues.length > 0 && isOfType(issues));
  return met === undefined || others.length > 0
    ? [issue]
    : met.flatMap((each) => ofItsType({ ...each, path: [...issue.path, ...each.path] }));
}

/** The types that a choice offers, where nothing else is wrong. */
const typesOf = (issues: readonly (readonly Issue[])[]): string[] => [
  ...new Set(
    issues.flatMap(([first]) =>
      first?.code === 'invalid_type' && first.path.length === 0
        ? [article(typeNames[first.expected] ?? first.expected)]
        : [],
    ),
  ),
];

const at = (input: unknown, keys: readonly PropertyKey[]): unknown =>
  keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );

/** A check of our own may say what would do in place of the field. */
const lack = (issue: Issue): string => (issue.code === 'custom' ? complaint(issue) : 'is required');

/** Whether the issue is a field that was not sent at all (400), rather than sent with a wrong value (422). */
export const isMissing = (issue: Issue, input: unknown): boolean => at(input, issue.path) === undefined;

/**
 * Describes what is wrong with an input in one line; names at most five fields.
 * @param part origin of the input: `body`, `query` or `path`.
 */
export function describeIssues(found: readonly Issue[], input: unknown, part: string): string {
  const issues = found.flatMap(ofItsType);
  const sentences = issues
    .slice(0, mostNamed)
    .map((issue) => `${path(issue, part)} ${isMissing(issue, input) ? lack(issue) : complaint(issue)}`);
  const more = issues.length > mostNamed ? `; and ${issues.length - mostNamed} more` : '';
  const text = sentences.join('; ') + more;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
