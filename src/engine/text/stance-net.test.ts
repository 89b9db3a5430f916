import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/random.ts';
import {
  StanceNet,
  type StanceNetWeights,
  joinStances,
  netLayout,
  ownSize,
  projectedSize,
  rowsOfScale,
} from './stance-net.ts';

const words = ['you', 'may', 'sell', 'the', 'key', '?'];
const pieceRows = 32;
const rows = words.length + pieceRows;

function randomWeights(seed: number): StanceNetWeights {
  const random = new Random(seed);
  const bytes = (length: number) => Int8Array.from({ length }, () => random.between(-127, 127));
  const scales = (count: number) => new Float32Array(Math.ceil(count / rowsOfScale)).fill(0.01);
  return {
    projection: bytes(rows * projectedSize),
    projectionScales: scales(rows),
    own: bytes(words.length * ownSize),
    ownScales: scales(words.length),
    layers: Float32Array.from({ length: netLayout.length }, () => random.normal() / 8),
  };
}

const weights = randomWeights(1);
const net = new StanceNet(weights, { words: words.length, pieceRows });
const logitOf = (text: string) => {
  const tokens = text.split(' ').filter((word) => word !== '');
  return net.logit(
    tokens,
    Int32Array.from(tokens, (word) => words.indexOf(word)),
  );
};

test('the same words in another order get another logit', () => {
  assert.notEqual(logitOf('you may sell the key'), logitOf('may you sell the key'));
});

test('a text without words gets the bias, and one word already more', () => {
  assert.equal(logitOf(''), weights.layers[netLayout.outputBias]);
  assert.notEqual(logitOf('sell'), logitOf(''));
  assert.notEqual(logitOf('sell'), logitOf('key'));
});

test('an unknown word is read by its pieces, and an unknown symbol is left out', () => {
  assert.notEqual(logitOf('you may sell greenhouses'), logitOf('you may sell tramlines'));
  assert.equal(logitOf('you ☂ may sell'), logitOf('you may sell'));
  assert.notEqual(logitOf('you may sell ?'), logitOf('you may sell'));
});

test('what was read before leaves no trace in the logit of the next text', () => {
  const first = logitOf('sell the key');
  logitOf('you may sell the key ? you may sell the key ?');
  assert.equal(logitOf('sell the key'), first);
});

test('both logits as one have the mean and the deviation of the first where the scales are those of the texts', () => {
  const random = new Random(8);
  const pairs = Array.from({ length: 500 }, () => {
    const shared = random.normal();
    return { ngrams: 2 * (shared + random.normal()) - 1, net: 5 * (shared + random.normal()) + 3 };
  });
  const scaleOf = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, deviation: Math.sqrt(square) };
  };
  const ngrams = scaleOf(pairs.map((pair) => pair.ngrams));
  const other = scaleOf(pairs.map((pair) => pair.net));
  const unscaled = { ngrams, net: other, together: 1 };
  const together =
    scaleOf(pairs.map((pair) => joinStances(pair.ngrams, pair.net, unscaled))).deviation / ngrams.deviation;
  const joined = scaleOf(pairs.map((pair) => joinStances(pair.ngrams, pair.net, { ...unscaled, together })));
  assert.ok(Math.abs(joined.mean - ngrams.mean) < 1e-9);
  assert.ok(Math.abs(joined.deviation - ngrams.deviation) < 1e-9);
});
