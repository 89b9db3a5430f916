/** Whether an answer of a tool orders its reader about: fixed signs first, then what is learned. Pure. */
import { findOverrideOrder } from './override-orders.ts';
import { legible } from './passages.ts';
import { isPlainNote } from './plain-notes.ts';
import { isQuotedOrDiscussed } from './quoting.ts';
import { findReaderOrder, strongestPassage, type ReaderOrder } from './reader-orders.ts';
import { shippedWeights } from './weights.ts';

/** Where the parts of a sentence meet. */
const joint = /[,;:—–]\s+|\s+(?=(?:and|then|und|dann|et|puis|y|e|i|и)\s)/u;
/** A clause alone is judged a little more strictly: in a text there are more clauses than sentences. */
const clauseCost = 0.25;
/** So many notes are passed over for the next strongest passage. */
const mostNotes = 4;

/** Whether a clause of the sentence is clearly an order by itself: what is added to an order does not weaken it. */
function hasClearClause(text: string, sentence: string, high: number): boolean {
  const clauses = sentence.split(joint);
  if (clauses.length === 1) return false;
  return clauses.some((clause) => {
    if ((strongestPassage(clause)?.logit ?? -Infinity) - clauseCost < high) return false;
    const at = text.indexOf(clause);
    return at === -1 || !isQuotedOrDiscussed(text, at, at + clause.length);
  });
}

/** The strongest order of the text; undefined if none reaches `medium`. */
export function findOrder(text: string): ReaderOrder | undefined {
  const override = findOverrideOrder(text);
  if (override !== undefined) return { score: 1, tier: 'high', sentence: override };
  let rest = text;
  for (let notes = 0; notes < mostNotes; notes++) {
    const order = findReaderOrder(rest);
    if (order?.tier !== 'medium') return order;
    if (!isPlainNote(order.sentence))
      return hasClearClause(legible(rest), order.sentence, shippedWeights().high)
        ? { ...order, tier: 'high' }
        : order;
    rest = legible(rest).replace(order.sentence, '\n');
  }
  return undefined;
}
