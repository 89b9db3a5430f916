import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meets, precisionOf, shareOf } from './figure.ts';

test('texts of one pattern count as one draw, so that their interval is wider', () => {
  const flagged = Array.from({ length: 60 }, (_, i) => i < 20);
  const apart = shareOf(
    flagged.map((_, i) => `text number${i} is its own`),
    flagged,
  );
  const alike = shareOf(
    flagged.map((_, i) => `pattern ${Math.floor(i / 20)} begins and ends with ${i}`),
    flagged,
  );
  assert.ok(apart !== undefined && alike !== undefined);
  assert.equal(apart.value, alike.value);
  assert.ok(alike.high - alike.low > apart.high - apart.low);
  assert.equal(shareOf([], []), undefined);
});

test('a goal is met, or met for certain where the whole interval reaches it', () => {
  const figure = { value: 0.1, low: 0.05, high: 0.15, of: 100 };
  assert.ok(meets(figure, { most: 0.12 }));
  assert.ok(!meets(figure, { most: 0.12 }, true));
  assert.ok(meets(figure, { most: 0.15 }, true));
  assert.ok(!meets(figure, { least: 0.11 }));
});

test('classes that are apart have an average precision of one, in every draw', () => {
  const found = precisionOf([0.9, 0.8, 0.7], [0.1, 0.2]);
  assert.deepEqual(found, { value: 1, low: 1, high: 1, of: 5 });
  assert.equal(precisionOf([], [0.1]), undefined);
});
