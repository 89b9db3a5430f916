import type { Predicate } from '../../predicates/catalog.ts';
import type { RuleForm } from '../../rule-form.ts';

/** A sentence with the form that was read from it. */
export interface Seen {
  readonly sentence: string;
  readonly form: RuleForm;
  /** Every predicate of the form. */
  readonly all: readonly Predicate[];
  /** Those of `when`. */
  readonly when: readonly Predicate[];
}

export const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

/** `"a", "b" and "c"`. */
export const joined = (words: readonly string[]): string =>
  words.length < 2 ? quoted(words) : `${quoted(words.slice(0, -1))} and ${quoted(words.slice(-1))}`;

/** `"a" and "b" have no place in the rule`. */
export const withoutPlace = (words: readonly string[]): string =>
  `${joined(words)} ${words.length === 1 ? 'has' : 'have'} no place in the rule`;

/** Each once, and not too many for a sentence. */
export const listOf = (words: readonly string[]): string[] => [...new Set(words)].slice(0, 5);
