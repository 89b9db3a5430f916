/**
 * The learned judge: how much each sentence of a definition is an order against the user, and by which words. A linear model
 * reads all sentences; a net reads those that it finds worst, and what it says is added.
 */
import { type OrderNet, shippedOrderNet } from '../order-net/order-net.ts';
import { readUnit } from './features.ts';
import type { ToolText } from './tool.ts';
import { unitsOf, type Unit } from './units.ts';
import { viewsOf } from './views.ts';
import { shippedWeights, type DescriptionWeights } from './weights.ts';

export interface JudgedSentence {
  unit: Unit;
  /** How it had to be read, such as `base64`; empty for the text as it stands. */
  how: string;
  /** From `high` on a verdict, from `medium` on a reason to look. */
  logit: number;
}

/** Nobody hides or encodes what a tool does. */
const hiddenBonus = 2.4;

/** More sentences of one definition are not judged: of a long one a part in every place is. */
const mostUnits = 1500;

/** Of one definition the net reads so many sentences, those that the linear model finds worst. */
export const mostRead = 40;

function logitOf(unit: Unit, { bias, weights, scale }: DescriptionWeights): number {
  let sum = 0;
  for (const { bucket, value } of readUnit(unit).features) sum += (weights[bucket] ?? 0) * value;
  return bias + sum * scale;
}

interface Reading {
  unit: Unit;
  how: string;
  bonus: number;
}

/** The sentences of a text in every reading; one that another reading leaves as it is was not hidden. */
function unitsInAllViews({ field, text }: ToolText): Reading[] {
  const [plain, ...others] = viewsOf(text);
  const asWritten = new Set(unitsOf({ field, text: plain?.text ?? text }).map((unit) => unit.text));
  return [
    ...unitsOf({ field, text }).map((unit) => ({ unit, how: '', bonus: 0 })),
    ...others.flatMap((view) =>
      unitsOf({ field, text: view.text })
        .filter((unit) => view.kind === 'hidden' || !asWritten.has(unit.text))
        .map((unit) => ({ unit, how: view.how, bonus: hiddenBonus })),
    ),
  ];
}

/** Evenly spread over the list. */
const someOf = <T>(list: readonly T[], most: number): readonly T[] =>
  list.length <= most
    ? list
    : Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)] as T);

/** All sentences of the texts, in every reading, that are at or above `from`, the worst first. */
export function judgeSentences(
  texts: readonly ToolText[],
  model: DescriptionWeights = shippedWeights(),
  net: OrderNet = shippedOrderNet(),
): { sentences: JudgedSentence[]; unread: number } {
  const units = texts.flatMap(unitsInAllViews);
  const read = someOf(units, mostUnits);
  const sentences = read
    .map(({ unit, how, bonus }) => ({ unit, how, logit: logitOf(unit, model) + bonus }))
    .toSorted((a, b) => b.logit - a.logit)
    .map((each, rank) =>
      rank < mostRead
        ? { ...each, logit: each.logit + model.net.share * (net.logit(each.unit.text) - model.net.mean) }
        : each,
    )
    .toSorted((a, b) => b.logit - a.logit);
  return { sentences, unread: units.length - read.length };
}

const mostWords = 6;

/** The words that speak most for the verdict, as they stand in the sentence. */
export function tellingWords(unit: Unit, { weights }: DescriptionWeights = shippedWeights()): string[] {
  const { tokens, features } = readUnit(unit);
  const shares = new Float64Array(tokens.length);
  for (const { bucket, value, from, to } of features) {
    const share = (weights[bucket] ?? 0) * value;
    // What holds for the whole sentence says nothing about a word.
    if (to - from > 16) continue;
    for (const at of new Set([from, to])) shares[at] = (shares[at] ?? 0) + share / (from === to ? 1 : 2);
  }
  return Array.from(tokens, (word, at) => ({ word, at, share: shares[at] ?? 0 }))
    .filter(({ word, share }) => share > 0 && /\p{L}{2}/u.test(word) && !word.startsWith('<'))
    .sort((a, b) => b.share - a.share)
    .slice(0, mostWords)
    .sort((a, b) => a.at - b.at)
    .map(({ word }) => word);
}
