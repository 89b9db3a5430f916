import type { Value } from '../taint/value.ts';
import { writtenOf } from '../taint/written.ts';

/** The text that a value is, where it stands in the source. */
export const textAt = (value: Value | undefined): string =>
  typeof value?.constant === 'string' ? value.constant : '';

/** Words of a value, as far as they are written; `isUnread` where a part of them is put together while the server runs. */
export function wordsAt(value: Value | undefined): { description: string; isUnread?: true } {
  if (value === undefined) return { description: '' };
  const { text, isWhole } = writtenOf(value);
  return isWhole ? { description: text } : { description: text, isUnread: true };
}

/** As Go writes it. */
export const capitalised = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
