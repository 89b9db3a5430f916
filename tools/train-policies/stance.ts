/** The n-grams' model of how something is said, from texts alone: it never sees a policy. */
import {
  type StanceCodes,
  firstWordCode,
  stanceBuckets,
  stanceFeatures,
} from '../../src/engine/text/stance-features.ts';
import type { FindWord } from '../../src/engine/text/sentence-units.ts';
import { type Kind, type PolicyCase, kinds } from './cases.ts';
import { type LogisticExample, type LogisticModel, fitLogistic } from './logistic.ts';

/** Words that stand for themselves: the most frequent ones, and those in as many texts of the policies. */
const frequentWords = 1500;
const frequentInTexts = 25;
const mostCode = 59_999;

/** A policy with the words of its texts. */
export interface ReadCase {
  source: PolicyCase;
  words: Readonly<Record<Kind, readonly (readonly string[])[]>>;
}

export function stanceCodes(cases: readonly ReadCase[], groups: Uint16Array, find: FindWord): StanceCodes {
  const texts = new Map<number, number>();
  const all = cases.flatMap(({ words }) => kinds.flatMap((kind) => words[kind]));
  for (const row of all.flatMap((text) => [...new Set(text)].map(find)))
    if (row >= 0) texts.set(row, (texts.get(row) ?? 0) + 1);
  const codes = groups.map((group, row) =>
    row < frequentWords || (texts.get(row) ?? 0) >= frequentInTexts
      ? Math.min(mostCode, firstWordCode + row)
      : group,
  );
  return { codes, groups };
}

export interface StanceOptions {
  /** Weight of all ordinary texts together, relative to that of all violations. */
  ordinaryWeight: number;
  ridge: number;
}

export interface LabelledText {
  words: readonly string[];
  /** 1 for violations, 0 for harmless texts. */
  label: number;
  weight: number;
}

/** Violations in the policy's own words count twice where they are fewer than near misses, which would count for them. */
const plainWeight = ({ plain, near }: ReadCase['words']) => (plain.length < near.length ? 2 : 1);

/** The texts of policies. */
export const labelledTexts = (cases: readonly ReadCase[]): LabelledText[] =>
  cases.flatMap(({ words }) =>
    kinds.flatMap((kind) =>
      words[kind].map((text) => ({
        words: text,
        label: kind === 'violating' || kind === 'plain' ? 1 : 0,
        weight: kind === 'plain' ? plainWeight(words) : 1,
      })),
    ),
  );

/**
 * The same texts, weighted so that asking is no sign of either label: authors write harmless texts as questions far more
 * often than violations, and users ask for what is forbidden (reweighing, Kamiran and Calders 2012: the share of the label
 * times the share of questions, over the share of both together).
 */
export function asIfNobodyAsked(texts: readonly LabelledText[]): LabelledText[] {
  const isQuestion = ({ words }: LabelledText) => words.includes('?');
  const sum = (list: readonly LabelledText[]) => list.reduce((total, { weight }) => total + weight, 0);
  const all = sum(texts);
  const factors = [0, 1].map((label) =>
    [false, true].map((asks) => {
      const together = sum(texts.filter((each) => each.label === label && isQuestion(each) === asks));
      const apart =
        sum(texts.filter((each) => each.label === label)) *
        sum(texts.filter((each) => isQuestion(each) === asks));
      return together === 0 ? 1 : apart / (all * together);
    }),
  );
  return texts.map((each) => ({
    ...each,
    weight: each.weight * (factors[each.label]?.[isQuestion(each) ? 1 : 0] ?? 1),
  }));
}

/** Violations against harmless texts of the same policies, and ordinary text as further harmless examples. */
export function trainStance(
  cases: readonly ReadCase[],
  ordinary: readonly (readonly string[])[],
  { codes, find, ordinaryWeight, ridge }: StanceOptions & { codes: StanceCodes; find: FindWord },
): LogisticModel {
  const features = (words: readonly string[]) => stanceFeatures(words, Int32Array.from(words, find), codes);
  const examples: LogisticExample[] = asIfNobodyAsked(labelledTexts(cases)).map(
    ({ words, label, weight }) => ({
      features: features(words),
      label,
      weight,
    }),
  );
  const violations = examples.filter(({ label }) => label === 1).length;
  const weight = (ordinaryWeight * violations) / Math.max(1, ordinary.length);
  for (const text of ordinary) examples.push({ features: features(text), label: 0, weight });
  return fitLogistic(examples, stanceBuckets, { ridge, steps: 200 });
}
