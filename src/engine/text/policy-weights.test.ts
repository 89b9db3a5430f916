import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  type PolicyHeader,
  type PolicyParts,
  packPolicyWeights,
  readPolicyWeights,
} from './policy-weights.ts';
import { SentenceEncoder } from './sentence-encoder.ts';
import { stanceBuckets } from './stance-features.ts';
import { netLayout, ownSize, projectedSize } from './stance-net.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-weights-'));
after(() => {
  rmSync(folder, { recursive: true });
});

const words = ['never', 'sell', 'keys'];
const size = 4;
const pieceRows = 13;
const rows = words.length + pieceRows;
const same = { mean: 0, deviation: 1 };

const header: PolicyHeader = {
  version: 'x',
  size,
  words: words.length,
  pieceRows,
  stanceScale: 1,
  stanceBias: -0.5,
  strangers: 0,
  calibration: { cosine: same, unshared: same, nearness: same, offset: 0, slope: 1 },
};
const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
const parts: PolicyParts = {
  vocabulary: Buffer.from(words.join('\n')),
  vectors: new Uint8Array(rows * size).fill(1),
  vectorScales: floats(...Array<number>(rows).fill(1)),
  stance: new Uint8Array(stanceBuckets),
  codes: new Uint8Array(2 * words.length),
  groups: new Uint8Array(2 * words.length),
  strangers: new Uint8Array(0),
};
const layers = Array<number>(netLayout.length).fill(0);
layers[netLayout.outputBias] = 3;
const withNet: PolicyParts = {
  ...parts,
  netProjection: new Uint8Array(rows * projectedSize).fill(2),
  netProjectionScales: floats(1),
  netOwn: new Uint8Array(words.length * ownSize).fill(3),
  netOwnScales: floats(1),
  netLayers: floats(...layers),
};
const stances = { ngrams: same, net: { mean: 1, deviation: 2 }, together: 1 };

function stored(name: string, ...file: Parameters<typeof packPolicyWeights>): string {
  const path = join(folder, name);
  writeFileSync(path, packPolicyWeights(...file));
  return path;
}

const stanceOf = (path: string) =>
  new SentenceEncoder(readPolicyWeights(path)).run(['never', 'sell'], 0, 2).stance;

test('weights without a net are read, and the n-grams alone say how a text is said', () => {
  const path = stored('without', header, parts);
  assert.equal(readPolicyWeights(path).net, undefined);
  assert.equal(stanceOf(path), -0.5);
});

test('weights with a net give back every part, and both readers count', () => {
  const path = stored('with', { ...header, stances }, withNet);
  const { net } = readPolicyWeights(path);
  assert.deepEqual(net?.projection, new Int8Array(rows * projectedSize).fill(2));
  assert.deepEqual(net.own, new Int8Array(words.length * ownSize).fill(3));
  assert.equal(net.layers[netLayout.outputBias], 3);
  // The n-grams' logit is half a deviation below the mean, the net's a whole one above.
  assert.equal(stanceOf(path), 0.25);
});

test('a net with a part missing or too short is refused with the name of the file', () => {
  const { netLayers: _, ...cut } = withNet;
  for (const broken of [cut, { ...withNet, netOwn: new Uint8Array(8) }]) {
    const path = stored('broken', { ...header, stances }, broken);
    assert.throws(() => readPolicyWeights(path), new RegExp(`${path} does not have the shape`));
  }
});
