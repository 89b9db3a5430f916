import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '#base/random.ts';
import { pairRows } from './pairs.ts';

const page = {
  text: 'The harbour opens at six in the morning. Boats above ten metres need a place that was booked before.',
  label: 0 as const,
  weight: 1,
  group: 'page',
  kind: 'page',
};
const rows = pairRows([page], { copies: 2, weights: [4, 3] }, new Random('pairs'));
/** Escapes and line breaks of carriers do not count. */
const letters = (text: string) => text.replaceAll(/\\[nt"]|[^\p{L}\p{N}]/gu, '');

test('an order and its twin follow each other, alone and in carriers, and only the order is marked', () => {
  assert.ok(rows.length >= 2 * 3 * 240, `${rows.length} rows`);
  for (let at = 0; at < rows.length; at += 2) {
    const [order, twin] = [rows[at], rows[at + 1]];
    assert.deepEqual([order?.label, twin?.label], [1, 0]);
    assert.equal(order?.kind, twin?.kind);
    assert.ok(order?.order !== undefined && twin?.order === undefined);
    assert.ok(letters(order.text).includes(letters(order.order)), order.text);
    assert.ok(!letters(twin?.text ?? '').includes(letters(order.order)), twin?.text);
  }
});

test('what stands around an order and its twin is the same', () => {
  const carried = rows.filter(({ text, order }) => order !== undefined && text !== order).slice(0, 200);
  for (const { text, order = '' } of carried) {
    const [before = ''] = text.split(order.slice(0, 8));
    const twin = rows[rows.findIndex((row) => row.text === text) + 1];
    assert.ok(twin?.text.startsWith(before), text);
  }
});
