/** From trained numbers to the weights that custom policies are judged with. */
import type { PolicyCalibration, PolicyHeader, PolicyParts } from '../../src/engine/text/policy-weights.ts';
import type { SentenceUnits } from '../../src/engine/text/sentence-units.ts';
import type { StanceCodes } from '../../src/engine/text/stance-features.ts';
import type { StanceNetWeights, StanceScales } from '../../src/engine/text/stance-net.ts';
import type { AliasedWords } from './dictionary.ts';
import { pieceRows } from './encoder.ts';
import type { LogisticModel } from './logistic.ts';

export const noCalibration: PolicyCalibration = {
  offset: 0,
  slope: 1,
};

export interface Trained {
  /** Words with a row of their own, and words that share one of these rows. */
  words: AliasedWords;
  size: number;
  table: Float32Array;
  stance: LogisticModel;
  codes: StanceCodes;
  /** The second reader of stance, and how both are joined. */
  net: StanceNetWeights;
  stances: StanceScales;
  /** All that each policy of the training says of itself, as rows of the table: the background. */
  policies: readonly SentenceUnits[];
}

const toInt8 = (value: number) => Math.max(-127, Math.min(127, Math.round(value)));

const bytesOf = (values: Float32Array | Int8Array | Uint16Array) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** The directions of policies in 127ths, by the table as it will run. */
function directionsOf(
  policies: readonly SentenceUnits[],
  vectors: Int8Array,
  vectorScales: Float32Array,
): Int8Array {
  const size = vectors.length / vectorScales.length;
  const all = new Int8Array(policies.length * size);
  policies.forEach(({ rows, shares }, p) => {
    const sum = new Float64Array(size);
    rows.forEach((row, i) => {
      const scale = (vectorScales[row] ?? 0) * (shares[i] ?? 0);
      for (let k = 0; k < size; k++) sum[k] = (sum[k] ?? 0) + scale * (vectors[row * size + k] ?? 0);
    });
    const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 1e-9));
    for (let k = 0; k < size; k++) all[p * size + k] = toInt8((127 * (sum[k] ?? 0)) / norm);
  });
  return all;
}

/** Everything in eight bits: one scale for each row of the table, one for the stance model. */
export function quantise(
  { words, size, table, stance, codes, net, stances, policies }: Trained,
  calibration: PolicyCalibration,
  version: string,
): { header: PolicyHeader; parts: PolicyParts } {
  const rows = table.length / size;
  const vectors = new Int8Array(table.length);
  const vectorScales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let largest = 0;
    for (let k = 0; k < size; k++) largest = Math.max(largest, Math.abs(table[row * size + k] ?? 0));
    const scale = Math.fround(largest / 127) || 1e-6;
    vectorScales[row] = scale;
    for (let k = 0; k < size; k++) vectors[row * size + k] = toInt8((table[row * size + k] ?? 0) / scale);
  }
  const sizes = stance.weights
    .filter((value) => value !== 0)
    .map(Math.abs)
    .sort();
  const stanceScale = (sizes[Math.floor(sizes.length * 0.9995)] ?? 1) / 127;
  const quantisedStance = Int8Array.from(stance.weights, (value) => toInt8(value / stanceScale));
  const header: PolicyHeader = {
    version,
    size,
    words: words.own.length,
    aliases: words.aliases.length,
    pieceRows,
    stanceScale,
    stanceBias: stance.bias,
    stances,
    strangers: policies.length,
    calibration,
  };
  return {
    header,
    parts: {
      vocabulary: Buffer.from([...words.own, ...words.aliases].join('\n')),
      aliases: bytesOf(words.rows),
      vectors: bytesOf(vectors),
      vectorScales: bytesOf(vectorScales),
      stance: bytesOf(quantisedStance),
      codes: bytesOf(codes.codes),
      groups: bytesOf(codes.groups),
      netProjection: bytesOf(net.projection),
      netProjectionScales: bytesOf(net.projectionScales),
      netOwn: bytesOf(net.own),
      netOwnScales: bytesOf(net.ownScales),
      netLayers: bytesOf(net.layers),
      strangers: bytesOf(directionsOf(policies, vectors, vectorScales)),
    },
  };
}
