import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavesOf } from '../../actions/calls/leaves.ts';
import { comparable, findFulfilling, isMissing, measureOf, type Operator, type Plain } from './compare.ts';
import { parseMeasure } from './measure.ts';

const fulfils = (own: unknown, operator: Operator, ...values: readonly Plain[]): boolean =>
  findFulfilling(leavesOf({ v: own }), operator, values) !== undefined;

test('numbers are compared with their units, and what has another unit is not comparable', () => {
  for (const [own, operator, value, holds] of [
    ['2 km', 'over', '1999 metres', true],
    ['2 km', 'over', '2 km', false],
    ['5 EUR', 'over', '4 USD', false],
    ['5', 'over', '4 USD', true],
    ['5 EUR', 'under', '4 USD', false],
    ['1e3', 'over', 5, true],
    ['', 'under', 5, false],
    [true, 'over', 0, false],
    ['1,500.50 EUR', 'at_least', '1500.5 EUR', true],
    [-5, 'at_most', -5, true],
  ] as const)
    assert.equal(fulfils(own, operator, value), holds, `${String(own)} ${operator} ${value}`);
});

test('of a list one value is enough, also for what must not be', () => {
  assert.equal(fulfils(['a@own.test', 'b@other.test'], 'not_like', '*@own.test'), true);
  assert.equal(fulfils(['a@own.test', 'b@own.test'], 'not_like', '*@own.test'), false);
  assert.equal(fulfils([], 'is_not', 'a'), false, 'nothing is not something else');
  assert.equal(fulfils([null, ' none '], 'exists'), false);
  assert.ok(isMissing(leavesOf({ v: ['', null] })));
});

test('a day is compared with the day of a moment, and a text with a date only by its day', () => {
  assert.equal(fulfils('2026-11-20T08:00', 'before', '2026-11-20'), false);
  assert.equal(fulfils('2026-11-19T23:59', 'before', '2026-11-20'), true);
  assert.equal(fulfils('2026-11-20T08:00', 'is', '2026-11-20'), true);
  assert.equal(fulfils('20.11.2026', 'is', '2026-11-20'), false);
});

test('the name of an argument says the unit where the limit has one', () => {
  const limit = parseMeasure('2 tonnes');
  assert.ok(limit);
  const [leaf] = leavesOf({ weight_lbs: 5000 });
  assert.ok(leaf);
  assert.equal(Math.round(measureOf(leaf, limit)?.value ?? 0), 2268);
  const plain = parseMeasure(3);
  assert.ok(plain);
  assert.equal(measureOf(leaf, plain)?.value, 5000);
  assert.equal(comparable({ value: 1, kind: 'EUR', factor: 1 }, { value: 1, kind: '', factor: 1 }), true);
});
