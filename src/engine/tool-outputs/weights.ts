import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buckets } from './features.ts';

export interface ResultWeights {
  readonly bias: number;
  /** One whole number for each place; times `scale` it is a weight. */
  readonly weights: Int8Array;
  readonly scale: number;
  /** What the net's logit is taken less by, and multiplied by, before it is added. */
  readonly net: { readonly mean: number; readonly share: number };
  /** Log-odds of the linear model below which the net is not asked. */
  readonly asked: number;
  /** Taken off for each time that a text has e times as many passages: any of them may look like an order by chance. */
  readonly perLog: number;
  /** Log-odds from which a passage is marked, and from which it is withheld. */
  readonly medium: number;
  readonly high: number;
}

type Header = Omit<ResultWeights, 'weights'> & { buckets: number };

const magic = 'BWTR';

/** The weights file: `BWTR`, the length of the header (32 bits, little end first), the header as JSON, the weights. */
export function packWeights({ weights, ...header }: ResultWeights): Uint8Array {
  const json = Buffer.from(JSON.stringify({ ...header, buckets }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([Buffer.from(magic), length, json, Buffer.from(weights.buffer)]);
}

/** @throws Error naming `path` when the bytes are not weights of this judge */
function parseWeights(bytes: Buffer, path: string): ResultWeights {
  const fault = new Error(
    `${path} is not a weights file of the judge of tool results; run tools/train-orders/train.ts`,
  );
  if (bytes.length < 8 || bytes.toString('latin1', 0, 4) !== magic) throw fault;
  const end = 8 + bytes.readUInt32LE(4);
  const { buckets: count, ...header } = JSON.parse(bytes.toString('utf8', 8, end)) as Header;
  if (count !== buckets || bytes.length !== end + count) throw fault;
  return { ...header, weights: new Int8Array(bytes.subarray(end)) };
}

let shipped: ResultWeights | undefined;

/** The weights in `data/models`, read once. */
export function shippedWeights(): ResultWeights {
  return (shipped ??= readWeights(join(import.meta.dirname, '../../../data/models/tool-results.bin')));
}

const readWeights = (path: string): ResultWeights => parseWeights(readFileSync(path), path);
