/** The fitted model: three logits, linear in the features of a reply. Fitted by `tools/train-replies/train.ts`. */
import { readFileSync } from 'node:fs';
import { featureNames, type FeatureName } from './features.ts';

export const refusalKinds = ['full', 'partial', 'none'] as const;
export type RefusalKind = (typeof refusalKinds)[number];
export type Probabilities = Readonly<Record<RefusalKind, number>>;

/** For each kind a weight for each feature, by name. */
export type Weights = Readonly<Record<RefusalKind, Readonly<Record<FeatureName, number>>>>;

const file = new URL('../../../../data/models/replies.json', import.meta.url);

/** Weights in the order of {@link featureNames}. A file of another version lacks names, which is an error at once. */
const rowsOf = (weights: Weights): number[][] =>
  refusalKinds.map((kind) =>
    featureNames.map((name) => {
      const weight = weights[kind][name];
      if (typeof weight !== 'number')
        throw new Error(
          `data/models/replies.json has no weight for ${name}; run tools/train-replies/train.ts.`,
        );
      return weight;
    }),
  );

let shipped: number[][] | undefined;

/** Softmax over the three kinds; `weights` for training alone. */
export function probabilitiesOf(
  features: readonly number[],
  weights?: readonly (readonly number[])[],
): Probabilities {
  const rows =
    weights ?? (shipped ??= rowsOf((JSON.parse(readFileSync(file, 'utf8')) as { weights: Weights }).weights));
  const logits = rows.map((row) => row.reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), 0));
  const highest = Math.max(...logits);
  const [full = 0, partial = 0, none = 0] = logits.map((logit) => Math.exp(logit - highest));
  const sum = full + partial + none;
  return { full: full / sum, partial: partial / sum, none: none / sum };
}
