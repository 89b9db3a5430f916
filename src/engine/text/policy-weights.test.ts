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
  aliases: 1,
  pieceRows,
  stanceScale: 1,
  stanceBias: -0.5,
  // The n-grams' logit is half a deviation below the mean, the net's a whole one above.
  stances: { ngrams: same, net: { mean: 1, deviation: 2 }, together: 1 },
  strangers: 0,
  calibration: { offset: 0, slope: 1 },
};
const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
const layers = Array<number>(netLayout.length).fill(0);
layers[netLayout.outputBias] = 3;
const parts: PolicyParts = {
  vocabulary: Buffer.from([...words, 'vendre'].join('\n')),
  aliases: new Uint8Array(Uint16Array.of(words.indexOf('sell')).buffer),
  vectors: new Uint8Array(rows * size).fill(1),
  vectorScales: floats(...Array<number>(rows).fill(1)),
  stance: new Uint8Array(stanceBuckets),
  codes: new Uint8Array(2 * words.length),
  groups: new Uint8Array(2 * words.length),
  netProjection: new Uint8Array(rows * projectedSize).fill(2),
  netProjectionScales: floats(1),
  netOwn: new Uint8Array(words.length * ownSize).fill(3),
  netOwnScales: floats(1),
  netLayers: floats(...layers),
  strangers: new Uint8Array(0),
};

function stored(name: string, ...file: Parameters<typeof packPolicyWeights>): string {
  const path = join(folder, name);
  writeFileSync(path, packPolicyWeights(...file));
  return path;
}

test('weights give back every part, and both readers of stance count', () => {
  const weights = readPolicyWeights(stored('whole', header, parts));
  assert.deepEqual(weights.net.projection, new Int8Array(rows * projectedSize).fill(2));
  assert.deepEqual(weights.net.own, new Int8Array(words.length * ownSize).fill(3));
  assert.equal(weights.net.layers[netLayout.outputBias], 3);
  assert.equal(new SentenceEncoder(weights).run(['never', 'sell'], 0, 2).stance, 0.25);
  assert.equal(weights.words.row('vendre'), weights.words.row('sell'));
});

test('a part that is missing or too short is refused with the name of the file', () => {
  const nothing = new Uint8Array(0);
  for (const broken of [
    { ...parts, netLayers: nothing },
    { ...parts, netOwn: new Uint8Array(8) },
    { ...parts, aliases: nothing },
  ]) {
    const path = stored('broken', header, broken);
    assert.throws(() => readPolicyWeights(path), new RegExp(`${path} does not have the shape`));
  }
});
