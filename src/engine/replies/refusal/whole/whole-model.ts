/** What a reply does as a whole, by linear models over hashed features. Fitted by `tools/train-replies/train.ts`. */
import { readFileSync } from 'node:fs';
import { wholeBuckets, type WholeFeatures, wholeFeaturesOf } from './whole-features.ts';

/** `refuses`: in part or wholly; `gives`: something of what was asked. */
export const wholes = ['refuses', 'gives'] as const;
export type Whole = (typeof wholes)[number];

export interface WholeRow {
  readonly bias: number;
  readonly scale: number;
  readonly weights: Int8Array;
}
export type WholeWeights = Readonly<Record<Whole, WholeRow>>;
/** Log-odds of each. */
export type WholeLogits = Readonly<Record<Whole, number>>;

/** As written: signed bytes in base64. */
export type PackedWhole = Readonly<
  Record<Whole, { readonly bias: number; readonly scale: number; readonly bytes: string }>
>;

const file = new URL('../../../../../data/models/replies.json', import.meta.url);

export function unpackWhole(packed: PackedWhole): WholeWeights {
  const row = (whole: Whole): WholeRow => {
    const { bias, scale, bytes } = packed[whole];
    const weights = new Int8Array(Buffer.from(bytes, 'base64'));
    if (weights.length !== wholeBuckets)
      throw new Error('data/models/replies.json is of another version; run tools/train-replies/train.ts.');
    return { bias, scale, weights };
  };
  return { refuses: row('refuses'), gives: row('gives') };
}

export function packWhole(weights: WholeWeights): PackedWhole {
  const row = ({ bias, scale, weights: bytes }: WholeRow) => ({
    bias: Number(bias.toPrecision(6)),
    scale: Number(scale.toPrecision(6)),
    bytes: Buffer.from(bytes.buffer).toString('base64'),
  });
  return { refuses: row(weights.refuses), gives: row(weights.gives) };
}

function logitOf({ at, value }: WholeFeatures, { bias, scale, weights }: WholeRow): number {
  let sum = 0;
  for (let i = 0; i < at.length; i++) sum += (weights[at[i] ?? 0] ?? 0) * (value[i] ?? 0);
  return bias + sum * scale;
}

let shipped: WholeWeights | undefined;

/** `weights`: for training alone. */
export function wholeOf(reply: string, request: string, weights?: WholeWeights): WholeLogits {
  const used =
    weights ??
    (shipped ??= unpackWhole((JSON.parse(readFileSync(file, 'utf8')) as { whole: PackedWhole }).whole));
  const features = wholeFeaturesOf(reply, request);
  return { refuses: logitOf(features, used.refuses), gives: logitOf(features, used.gives) };
}
