import type { Met } from '../../actions/judging/met.ts';
import type { Wording } from '../wording/wording.ts';
import type { JudgedCall } from '../matching/judged-call.ts';

/** What a field of a predicate may hold; rules come from outside, so each is checked. */
export type FieldShape = (
  | { readonly type: 'text' | 'texts' | 'number' | 'flag' | 'things' | 'operand' }
  | { readonly type: 'choice' | 'choices'; readonly of: readonly string[] }
) & { readonly optional?: true };

/** One kind of test that a rule may make of a call: its fields, its words, its match. */
export interface PredicateKind<P extends { readonly is: string }> {
  readonly is: P['is'];
  readonly fields: Readonly<Record<Exclude<keyof P, 'is'>, FieldShape>>;
  /** What the fields together must hold to, as a sentence; undefined where they do. */
  refuse?(this: void, predicate: P): string | undefined;
  /** Goes on from "it …": `deletes or sends something`. */
  readonly wording: Wording;
  /** What of the call makes it true; undefined where it is not. */
  match(this: void, at: JudgedCall, predicate: P): Met;
}
