/** What a change made of something, as an audit event tells it: old and new values, field by field. */
import { isDeepStrictEqual } from 'node:util';

/** A value as the trail keeps it: long ones shortened, nested ones as JSON. */
export type ToldValue = string | number | boolean | null | readonly string[];

export interface ValueChange {
  /** Null for what was not there before. */
  readonly old: ToldValue;
  /** Null for what is gone. */
  readonly new: ToldValue;
}

export type Changes = Readonly<Record<string, ValueChange>>;

/** An entry of the trail stays small, whatever was changed. */
const longestText = 300;
const mostItems = 20;
const mostCharacters = 30_000;

/** The fields that differ, under their names on the wire; `undefined` on either side is one that is not there. */
export function changesBetween(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
): Changes {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed: [string, ValueChange][] = [];
  for (const name of names) {
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
    if (!isDeepStrictEqual(was, is))
      changed.push([inSnakeCase(name), { old: toldValue(was), new: toldValue(is) }]);
  }
  const kept = changed.slice(0, countThatFit(changed));
  const rest = changed.length - kept.length;
  return Object.fromEntries(rest > 0 ? [...kept, ['more_changes', { old: null, new: rest }]] : kept);
}

/** How many of the first changes the entry keeps: one always. */
function countThatFit(changed: readonly [string, ValueChange][]): number {
  let characters = 0;
  for (const [at, change] of changed.entries()) {
    characters += JSON.stringify(change).length;
    if (at > 0 && characters > mostCharacters) return at;
  }
  return changed.length;
}

/** As an entry keeps it. */
export function toldValue(value: unknown): ToldValue {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return shortened(value);
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return shortened(JSON.stringify(value));
  const items = value
    .slice(0, mostItems)
    .map((item) => shortened(typeof item === 'string' ? item : JSON.stringify(item)));
  return value.length > mostItems ? [...items, `… and ${value.length - mostItems} more`] : items;
}

const shortened = (text: string): string =>
  text.length <= longestText
    ? text
    : `${text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length} characters)`;

/** `maxTextLength` as clients know it; names with other characters than letters stay as they are. */
const inSnakeCase = (name: string): string =>
  /^[a-z][A-Za-z]*$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
