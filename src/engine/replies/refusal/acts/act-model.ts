/**
 * What a sentence does, by linear models over hashed features. A sentence counts by its strongest run of words, so that
 * a long sentence with a short “but I won't do that” at its end declines too. Fitted by `tools/train-replies/train.ts`.
 */
import { readFileSync } from 'node:fs';
import type { Cue } from '../cue-names.ts';
import { type ActFeatures, actFeaturesOf, buckets } from './act-features.ts';

/** `declines`: whoever speaks withholds something; `redirects`: moralises, consoles, or offers something else. */
export const acts = ['declines', 'redirects'] as const;
export type Act = (typeof acts)[number];
/** Each between 0 and 1; a sentence can do both, or neither. */
export type ActProbabilities = Readonly<Record<Act, number>>;

/** One weight for each place. */
export type ActWeights = Readonly<Record<Act, Float32Array>>;

const file = new URL('../../../../../data/models/replies.json', import.meta.url);

/** Weights as written: signed bytes in base64, to be multiplied by `scale`. */
export type PackedActs = Readonly<Record<Act, { readonly scale: number; readonly bytes: string }>>;

export function unpackActs(packed: PackedActs): ActWeights {
  const row = (act: Act) => {
    const bytes = new Int8Array(Buffer.from(packed[act].bytes, 'base64'));
    if (bytes.length !== buckets)
      throw new Error('data/models/replies.json is of another version; run tools/train-replies/train.ts.');
    return Float32Array.from(bytes, (byte) => byte * packed[act].scale);
  };
  return { declines: row('declines'), redirects: row('redirects') };
}

export function packActs(weights: ActWeights): PackedActs {
  const row = (act: Act) => {
    const highest = weights[act].reduce((most, each) => Math.max(most, Math.abs(each)), 1e-6);
    const scale = Number((highest / 127).toPrecision(6));
    const bytes = Int8Array.from(weights[act], (each) => Math.round(each / scale));
    return { scale, bytes: Buffer.from(bytes.buffer).toString('base64') };
  };
  return { declines: row('declines'), redirects: row('redirects') };
}

/** Lengths of runs, in words. A longer one holds more of what speaks for or against. */
const runs = [4, 6, 9] as const;

export interface Scored {
  readonly logit: number;
  /** The strongest run: words from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
}

/** The strongest run of words under one row of weights; linear in the number of features. */
export function scored({ words, whole }: ActFeatures, weights: Float32Array): Scored {
  const sum = (places: readonly number[]) => {
    let total = 0;
    for (const place of places) total += weights[place] ?? 0;
    return total;
  };
  const sums = [0];
  for (const places of words) sums.push((sums.at(-1) ?? 0) + sum(places));
  let best = { logit: words.length === 0 ? 0 : Number.NEGATIVE_INFINITY, from: 0, to: 0 };
  for (const run of runs) {
    const length = Math.min(run, words.length);
    for (let from = 0; length > 0 && from + length <= words.length; from++) {
      const logit = (sums[from + length] ?? 0) - (sums[from] ?? 0);
      if (logit > best.logit) best = { logit, from, to: from + length };
    }
  }
  return { ...best, logit: best.logit + sum(whole) };
}

const logistic = (logit: number) => 1 / (1 + Math.exp(-logit));
let shipped: ActWeights | undefined;

/** `weights`: for training alone. */
export function actsOf(sentence: string, cues: ReadonlySet<Cue>, weights?: ActWeights): ActProbabilities {
  const used =
    weights ??
    (shipped ??= unpackActs((JSON.parse(readFileSync(file, 'utf8')) as { acts: PackedActs }).acts));
  const features = actFeaturesOf(sentence, cues);
  return {
    declines: logistic(scored(features, used.declines).logit),
    redirects: logistic(scored(features, used.redirects).logit),
  };
}
