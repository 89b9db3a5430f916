import { type Calibration, packModel } from '../../src/engine/text/model.ts';
import type { LinearModel } from './linear.ts';
import { type NetModel, strangeRows } from './net-model.ts';
import { detectorIds } from './rows.ts';

const heads = detectorIds.length;

const bytesOf = (values: Float32Array | Int8Array) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

const toInt8 = (value: number) => Math.max(-127, Math.min(127, Math.round(value)));

/** One scale for each output, so that outputs stay comparable; the largest thousandth of the values is clipped. */
function quantiseLinear({ weights }: LinearModel): { values: Int8Array; scales: number[] } {
  const scales = detectorIds.map((_, h) => {
    const sizes = weights
      .filter((value, i) => i % heads === h && value !== 0)
      .map(Math.abs)
      .sort();
    return Math.max(1e-6, (sizes[Math.floor(sizes.length * 0.9995)] ?? 1) / 127);
  });
  return { values: Int8Array.from(weights, (value, i) => toInt8(value / (scales[i % heads] ?? 1))), scales };
}

/** One scale for each word. */
function quantiseVectors({ vectors, size }: NetModel): { values: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(vectors.length / size);
  const values = new Int8Array(vectors.length);
  for (let row = 0; row < scales.length; row++) {
    let largest = 0;
    for (let k = 0; k < size; k++) largest = Math.max(largest, Math.abs(vectors[row * size + k] ?? 0));
    const scale = Math.fround(largest / 127) || 1e-6;
    scales[row] = scale;
    for (let k = 0; k < size; k++) values[row * size + k] = toInt8((vectors[row * size + k] ?? 0) / scale);
  }
  return { values, scales };
}

export interface Parts {
  version: string;
  words: readonly string[];
  linear: LinearModel;
  net: NetModel;
  calibration: Calibration[];
}

/** Content of the engine's weights file. */
export function exportModel({ version, words, linear, net, calibration }: Parts): Uint8Array {
  const small = quantiseLinear(linear);
  const vectors = quantiseVectors(net);
  return packModel(
    {
      version,
      size: net.size,
      hidden: net.hidden,
      words: words.length,
      strangeRows,
      linearScales: small.scales,
      linearBias: [...linear.bias],
      calibration,
    },
    {
      vocabulary: Buffer.from(words.join('\n')),
      linear: bytesOf(small.values),
      vectors: bytesOf(vectors.values),
      vectorScales: bytesOf(vectors.scales),
      shift: bytesOf(net.shift),
      inner: bytesOf(net.inner),
      innerBias: bytesOf(net.innerBias),
      outer: bytesOf(net.outer),
      outerBias: bytesOf(net.outerBias),
    },
  );
}
