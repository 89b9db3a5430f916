import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/base/random.ts';
import { WordMap } from './word-map.ts';

const size = 6;

function setUp() {
  const random = new Random(3);
  const map = new WordMap(size, 0.01, 5);
  for (let i = 0; i < map.numbers.length; i++) map.numbers[i] = random.normal() * 0.2;
  const table = Float32Array.from({ length: 4 * size }, () => random.normal());
  const pulls = Float64Array.from({ length: 2 * size }, () => random.normal());
  return { map, table, pulls };
}

test('a new map leaves every vector as it is', () => {
  const { table } = setUp();
  assert.deepEqual(new WordMap(size, 0.01, 5).apply(table), table);
});

test('gradients of rows are those of finite differences, and a step lowers the loss', () => {
  const { map, table, pulls } = setUp();
  const rows = [2, 0];
  const out = new Float64Array(2 * size);
  const loss = () => {
    map.forward(table, rows, out);
    return out.reduce((sum, value, i) => sum + value * (pulls[i] ?? 0), 0);
  };
  const before = loss();
  const expected = rows.flatMap((row) =>
    Array.from({ length: size }, (_, k) => {
      const at = row * size + k;
      const value = table[at] ?? 0;
      const by = 2 ** -8;
      table[at] = value + by;
      const above = loss();
      table[at] = value - by;
      const below = loss();
      table[at] = value;
      return (above - below) / (2 * by);
    }),
  );
  loss();
  const gradient = pulls.slice();
  map.backward(table, rows, { mapped: out, gradient, rateShare: 1 });
  gradient.forEach((value, i) =>
    assert.ok(Math.abs(value - (expected[i] ?? 0)) < 1e-3, `${i}: ${value}, ${expected[i]}`),
  );
  assert.ok(loss() < before);
});
