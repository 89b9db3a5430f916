import { tryCases } from '../fixtures/try-cases.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Case } from '../fixtures/try-cases.ts';
import { isWithinBounds, refuseBounds } from './bounds.ts';

const sizes: readonly Case[] = [
  ['below', [['x', { n: 4 }]], false],
  ['the lower one', [['x', { n: 5 }]], true],
  ['between', [['x', { n: 8.999 }]], true],
  ['the upper one', [['x', { n: 9 }]], false],
  ['above', [['x', { n: 10 }]], false],
];
tryCases(
  'two bounds hold together, each with or without itself',
  'Deny when it has at least 5 and less than 9 for "n".',
  sizes,
);

test('bounds that contradict each other in kind, or are none, are refused', () => {
  assert.match(refuseBounds({}) ?? '', /must give the limit/);
  assert.match(refuseBounds({ over: 1, atleast: 1 }) ?? '', /must not stand together/);
  assert.match(refuseBounds({ under: 1, atmost: 1 }) ?? '', /must not stand together/);
  assert.equal(refuseBounds({ over: 1, under: 0 }), undefined);
});

test('a number that is none keeps to no bound', () => {
  for (const limits of [{ over: 0 }, { atleast: 0 }, { under: 0 }, { atmost: 0 }])
    assert.equal(isWithinBounds(NaN, limits), false);
  assert.equal(isWithinBounds(0, { atleast: 0, atmost: 0 }), true);
});
