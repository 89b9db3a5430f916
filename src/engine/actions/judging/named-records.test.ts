import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutNamed, namedValue } from './named-records.ts';

const orders = {
  page: 2,
  orders: [
    { id: 'A-1', status: 'open', lines: [{ sku: 'x' }, { sku: 'y' }] },
    { id: 'A-2', status: 'shipped' },
  ],
};

test('of a list of records those stay that name the thing, and what stands beside the list', () => {
  assert.deepEqual(aboutNamed(orders, new Set(['a-2'])), { page: 2, orders: [orders.orders[1]] });
  assert.deepEqual(aboutNamed(orders, new Set(['x'])), {
    page: 2,
    orders: [{ id: 'A-1', status: 'open', lines: [{ sku: 'x' }] }],
  });
});

test('a list in which no record names it stays whole, and so does one of plain values', () => {
  assert.deepEqual(aboutNamed(orders, new Set(['a-3'])), orders);
  assert.deepEqual(aboutNamed({ ids: ['a-1', 'a-2'] }, new Set(['a-1'])), { ids: ['a-1', 'a-2'] });
  assert.equal(aboutNamed(orders, new Set()), orders);
});

test('a value may be wanted under one name alone', () => {
  const rooms = [
    { room: 4, floor: 1 },
    { room: 1, floor: 4 },
  ];
  assert.deepEqual(aboutNamed(rooms, new Set([namedValue('room', '4')])), [rooms[0]]);
});

test('answers that are huge, deep or go in circles are looked at in a moment', () => {
  const deep: Record<string, unknown> = {};
  let inner = deep;
  for (let i = 0; i < 5000; i += 1) inner = inner['next'] = {} as Record<string, unknown>;
  const circle: Record<string, unknown> = { id: 'a' };
  circle['self'] = Array.from({ length: 300 }, () => circle);
  const wide = Array.from({ length: 300 }, () => ({
    list: Array.from({ length: 300 }, () => ({ id: 'b' })),
  }));
  const from = process.cpuUsage();
  for (const answer of [deep, circle, wide]) aboutNamed(answer, new Set(['z']));
  assert.ok(process.cpuUsage(from).user < 500_000);
});
