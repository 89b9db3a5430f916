import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsIn } from './text-parts.ts';

test('numbers stand alone in a text: pieces of names, dates, times and versions are none', () => {
  assert.deepEqual(partsIn('Pay 1,500.50 EUR for 3 boxes, -4 and €20.', 'number'), [
    '1,500.50 EUR',
    '3',
    '-4',
    '€20',
  ]);
  assert.deepEqual(partsIn('v1.2.3 at 10:30 on 2026-03-04, order A-77, 3/4, x9', 'number'), []);
  assert.deepEqual(partsIn('', 'number'), []);
});

test('dates are read however they are written, but not where day and month cannot be told', () => {
  assert.deepEqual(partsIn('2026-03-04T10:00Z, 3. 4. 2026, 5th May 2026 and June 7, 2026', 'date'), [
    '2026-03-04T10:00Z',
    '2026-04-03',
    '2026-05-05',
    '2026-06-07',
  ]);
  assert.deepEqual(partsIn('03/04/2026, 2026-03, May 2026', 'date'), []);
});

test('behind a mark only what follows at once counts, and the mark is no end of a longer one', () => {
  assert.deepEqual(partsIn('scale --replicas=3 --max-replicas=9', 'number', '--replicas'), ['3']);
  assert.deepEqual(partsIn('kubectl --namespace=prod -n=test', 'word', '-n'), ['test']);
  assert.deepEqual(partsIn('total: none, 5', 'number', 'total'), []);
  assert.deepEqual(partsIn('amount amount 7', 'number', 'amount'), ['7']);
});

test('a long text is read in bounded time and number', () => {
  const text = '1 '.repeat(500_000);
  assert.ok(partsIn(text, 'number').length <= 20_000);
  assert.ok(partsIn('x: '.repeat(50_000), 'number', 'x').length === 0);
});
