import type { Call } from '../calls/call.ts';
import type { Request } from '../judging/request.ts';
import { root, textWords } from '../words.ts';
import type { Order } from './instructions.ts';

/** A text of the call that a sentence might dictate. */
export interface Passage {
  lower: string;
  /** Roots of its longer words, as often as they stand there. */
  roots: readonly string[];
}

export function passagesOf(call: Call, request: Request): Passage[] {
  return call.leaves.flatMap(({ text }) => {
    const lower = text.toLowerCase();
    if (text.length < 12 || text.length > 2000 || request.lower.includes(lower)) return [];
    return [
      {
        lower,
        roots: textWords(text)
          .filter((word) => word.length > 3)
          .map(root),
      },
    ];
  });
}

/** A text of the call that the sentence dictates: most of its words come from there. */
export const isDictated = ({ span }: Order, passages: readonly Passage[]): boolean =>
  passages.some(({ lower, roots }) => {
    if (span.quoted.some((quote) => quote.length > 8 && lower.includes(quote))) return true;
    if (roots.length < 3) return false;
    let met = 0;
    for (const word of roots) if (span.roots.has(word)) met++;
    return met / roots.length >= 0.7;
  });

const fewestWords = 3;

/**
 * The sentence itself stands in a text of the call: the user asked to pass it on, and that is no obeying. As the whole of
 * a text it does so only where the call runs nothing: what is run is the order itself.
 */
export const isPassedOn = (order: Order, passages: readonly Passage[], runs: boolean): boolean =>
  passages.some(({ lower, roots }) =>
    lower.length > order.lower.length
      ? lower.includes(order.lower)
      : !runs && lower === order.lower && roots.length >= fewestWords,
  );

/** `pay_9KsL`, `Copier_lease.pdf`: a name in one piece; a sum of numbers in another language. */
export const isNoSentence = ({ text, foreign }: Order): boolean =>
  oneName.test(text) || oneAddress.test(text) || (foreign && calculated.test(text));
const oneName = /^(?=.{1,40}$)[A-Za-z\d]+(?:[_.-][A-Za-z\d]+){0,2}$/;
const oneAddress = /^[^\s@]{1,80}@[^\s@]{1,80}$/;
const calculated = /\d\s?=\s?\d/;
