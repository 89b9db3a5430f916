import { z } from 'zod';
import type { Cell } from '#environments/kit/row.ts';
import { digitsOfCode, joinedDigits, plainValues } from './written-values.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const text = z.string().min(1);

/**
 * What a value must be like; all given conditions together. Texts are compared without regard to case, to the amount of
 * white space, and to how dates, times, numbers and codes of digits are written. There are no regular expressions: tasks are uploaded by users.
 */
export const matcherSchema = z.union([
  scalar,
  z
    .strictObject({
      eq: scalar,
      not: scalar,
      in: z.array(scalar).min(1),
      not_in: z.array(scalar).min(1),
      contains: text,
      contains_all: z.array(text).min(1),
      contains_any: z.array(text).min(1),
      not_contains: text,
      /** All of these texts, with case and white space as they are. */
      contains_exact: z.array(text).min(1),
      /** The letters and digits of all of these texts, however they were quoted, escaped or broken into lines. */
      contains_letters: z.array(text).min(1),
      gt: z.number(),
      gte: z.number(),
      lt: z.number(),
      lte: z.number(),
    })
    .partial(),
]);
export type Matcher = z.infer<typeof matcherSchema>;

function printed(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)) ?? '';
}

/** Text without differences that do not matter for checks. */
function normalised(value: unknown): string {
  return printed(value).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Letters and digits alone: quoting, escaping and line breaks on the way do not matter. */
export function letters(text: string): string {
  return normalised(text.replaceAll(/\\+[nrt"]/g, ' ')).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Whether a text holds another one, however that was quoted or escaped on its way. */
export function containsLetters(text: string, wanted: string): boolean {
  return letters(text).includes(letters(wanted));
}

function equal(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'number' && value !== null && value !== '')
    return Math.abs(Number(value) - expected) < 1e-9;
  if (expected === null) return value === null || value === undefined;
  return sameText(normalised(value), normalised(expected));
}

function sameText(text: string, wanted: string): boolean {
  if (text === wanted) return true;
  const code = digitsOfCode(wanted);
  return code === undefined ? plainValues(text) === plainValues(wanted) : joinedDigits(text) === code;
}

/** Whether a text has another one in it, as it stands or with its values written in another way. */
function hasText(value: unknown, part: string): boolean {
  const text = normalised(value);
  const wanted = normalised(part);
  if (includesValue(text, wanted)) return true;
  const code = digitsOfCode(wanted);
  return (
    includesValue(plainValues(text), plainValues(wanted)) ||
    (code !== undefined && joinedDigits(text).includes(code))
  );
}

const number = /^\d[\d.,]*$/;

/** A number is in a text as a number of its own, not as digits of a longer one; "812.5" is in "812.50". */
function includesValue(text: string, wanted: string): boolean {
  if (!/^\d/.test(wanted)) return text.includes(wanted);
  const ends = number.test(wanted) ? (wanted.includes('.') ? /^0*(?!\d)/ : /^(?!\d)/) : /^/;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const after = text.slice(at + wanted.length, at + wanted.length + 20);
    if (!/\d/.test(text[at - 1] ?? '') && ends.test(after)) return true;
  }
  return false;
}

type Conditions = Exclude<Matcher, z.infer<typeof scalar>>;

const conditions: {
  [Name in keyof Conditions]-?: (value: unknown, wanted: NonNullable<Conditions[Name]>) => boolean;
} = {
  eq: equal,
  not: (value, wanted) => !equal(value, wanted),
  in: (value, wanted) => wanted.some((each) => equal(value, each)),
  not_in: (value, wanted) => !wanted.some((each) => equal(value, each)),
  contains: hasText,
  contains_all: (value, wanted) => wanted.every((each) => hasText(value, each)),
  contains_any: (value, wanted) => wanted.some((each) => hasText(value, each)),
  not_contains: (value, wanted) => !hasText(value, wanted),
  contains_exact: (value, wanted) => wanted.every((each) => printed(value).includes(each)),
  contains_letters: (value, wanted) => wanted.every((each) => containsLetters(printed(value), each)),
  gt: (value, wanted) => Number(value) > wanted,
  gte: (value, wanted) => Number(value) >= wanted,
  lt: (value, wanted) => Number(value) < wanted,
  lte: (value, wanted) => Number(value) <= wanted,
};

/** Whether a value fulfils a matcher; a missing value only fulfils `null` and negations. */
export function matches(value: unknown, matcher: Matcher): boolean {
  if (matcher === null || typeof matcher !== 'object') return equal(value, matcher);
  return Object.entries(matcher).every(([name, wanted]) => {
    const condition = conditions[name as keyof Conditions] as (value: unknown, wanted: unknown) => boolean;
    return wanted === undefined || condition(value, wanted);
  });
}

/** Whether each named field of a record fulfils its matcher. `a.b` reads a field of a nested object. */
export function matchesAll(record: Record<string, unknown>, wanted: Record<string, Matcher>): boolean {
  return Object.entries(wanted).every(([path, matcher]) => matches(field(record, path), matcher));
}

function field(record: Record<string, unknown>, path: string): unknown {
  if (path in record) return record[path];
  return path.split('.').reduce<unknown>((value, key) => {
    const isRecord = value !== null && typeof value === 'object';
    return isRecord && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }, record);
}

/** The single addresses of a cell that lists several. */
export function addresses(cell: Cell | undefined): string[] {
  return String(cell ?? '')
    .split(/[,;]/)
    .map((address) => address.trim().toLowerCase())
    .filter(Boolean);
}
