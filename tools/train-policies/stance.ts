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

/** Violations against harmless texts of the same policies, and ordinary text as further harmless examples. */
export function trainStance(
  cases: readonly ReadCase[],
  ordinary: readonly (readonly string[])[],
  { codes, find, ordinaryWeight, ridge }: StanceOptions & { codes: StanceCodes; find: FindWord },
): LogisticModel {
  const features = (words: readonly string[]) => stanceFeatures(words, Int32Array.from(words, find), codes);
  const examples: LogisticExample[] = labelledTexts(cases).map(({ words, label, weight }) => ({
    features: features(words),
    label,
    weight,
  }));
  const violations = examples.filter(({ label }) => label === 1).length;
  const weight = (ordinaryWeight * violations) / Math.max(1, ordinary.length);
  for (const text of ordinary) examples.push({ features: features(text), label: 0, weight });
  return fitLogistic(examples, stanceBuckets, { ridge, steps: 200 });
}
