import type { Value } from '../taint/value.ts';

/** The text that a value is, where it stands in the source. */
export const textAt = (value: Value | undefined): string =>
  typeof value?.constant === 'string' ? value.constant : '';

/** As Go writes it. */
export const capitalised = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
