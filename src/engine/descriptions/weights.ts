import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buckets } from './features.ts';

export interface DescriptionWeights {
  bias: number;
  /** One whole number for each bucket; times `scale` it is a weight. */
  weights: Int8Array;
  scale: number;
  /** What the net's logit is taken less by, and multiplied by, before it is added. */
  net: { mean: number; share: number };
  /** Logits from which a sentence is reported: `high` is a verdict, `medium` a reason to look. */
  high: number;
  medium: number;
  /** From here on a fixed sign and the judge together are a verdict. */
  support: number;
}

type Header = Omit<DescriptionWeights, 'weights'> & { buckets: number };

const magic = 'BWTD';

/** The weights file: `BWTD`, the length of the header (32 bits, little end first), the header as JSON, the weights. */
export function packWeights({ weights, ...header }: DescriptionWeights): Uint8Array {
  const json = Buffer.from(JSON.stringify({ ...header, buckets }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([Buffer.from(magic), length, json, Buffer.from(weights.buffer)]);
}

/** @throws Error naming `path` when the bytes are not weights of this judge */
export function parseWeights(bytes: Buffer, path: string): DescriptionWeights {
  const fault = new Error(`${path} is not a weights file of the judge of descriptions`);
  if (bytes.length < 8 || bytes.toString('latin1', 0, 4) !== magic) throw fault;
  const end = 8 + bytes.readUInt32LE(4);
  const { buckets: count, ...header } = JSON.parse(bytes.toString('utf8', 8, end)) as Header;
  if (count !== buckets || bytes.length !== end + count) throw fault;
  return { ...header, weights: new Int8Array(bytes.subarray(end)) };
}

let shipped: DescriptionWeights | undefined;

/** The weights in `data/models`, read once. */
export function shippedWeights(): DescriptionWeights {
  const path = join(import.meta.dirname, '../../../data/models/descriptions.bin');
  return (shipped ??= parseWeights(readFileSync(path), path));
}
