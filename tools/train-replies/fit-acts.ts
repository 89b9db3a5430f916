/**
 * Fits the models of what a sentence does: logistic regression by AdaGrad, one sentence at a time. Only the strongest run
 * of words of a sentence is corrected, since it alone decides.
 */
import { Random } from '#base/random.ts';
import { folded } from '#engine/replies/normalise.ts';
import { actFeaturesOf, buckets } from '#engine/replies/refusal/acts/act-features.ts';
import { type Act, type ActWeights, scored } from '#engine/replies/refusal/acts/act-model.ts';
import { cuesOf } from '#engine/replies/refusal/cues.ts';

export interface LabelledSentence {
  text: string;
  act: Act | 'ordinary';
  weight: number;
}

const defaults = { rounds: 8, rate: 0.1, decay: 0.01 };

function fitOne(
  cases: readonly { features: ReturnType<typeof actFeaturesOf>; is: number; weight: number }[],
  seed: number,
  { rounds, rate, decay }: typeof defaults,
): Float32Array {
  const random = new Random(seed);
  const weights = new Float32Array(buckets);
  const squares = new Float32Array(buckets).fill(1);
  // The mean of the weights after each of the later rounds: single rounds forget what they saw first.
  const means = new Float32Array(buckets);
  const order = Int32Array.from(cases, (_, i) => i);
  for (let round = 0; round < rounds; round++) {
    random.shuffle(order);
    for (const at of order) {
      const { features, is, weight } = cases[at] as (typeof cases)[number];
      const { logit, from, to } = scored(features, weights);
      const error = (1 / (1 + Math.exp(-logit)) - is) * weight;
      if (Math.abs(error) < 1e-3) continue;
      for (const places of [features.whole, ...features.words.slice(from, to)])
        for (const place of places) {
          const slope = error + decay * (weights[place] as number);
          squares[place] = (squares[place] as number) + slope * slope;
          weights[place] = (weights[place] as number) - (rate * slope) / Math.sqrt(squares[place] as number);
        }
    }
    if (round >= rounds / 2) weights.forEach((weight, i) => (means[i] = (means[i] as number) + weight));
  }
  const counted = rounds - Math.ceil(rounds / 2);
  return means.map((sum) => sum / counted);
}

/** Deterministic for a given seed. Sentences of either kind weigh the same in all. */
export function fitActs(rows: readonly LabelledSentence[], seed: number, options = defaults): ActWeights {
  const features = rows.map(({ text }) => actFeaturesOf(text, cuesOf(folded(text))));
  const of = (act: Act) => {
    const total = (is: boolean) =>
      rows.reduce((sum, row) => sum + ((row.act === act) === is ? row.weight : 0), 0);
    const share = total(false) / Math.max(1, total(true));
    return fitOne(
      rows.map((row, i) => ({
        features: features[i] as (typeof features)[number],
        is: row.act === act ? 1 : 0,
        weight: row.weight * (row.act === act ? Math.min(3, share) : 1),
      })),
      seed,
      options,
    );
  };
  return { declines: of('declines'), redirects: of('redirects') };
}
