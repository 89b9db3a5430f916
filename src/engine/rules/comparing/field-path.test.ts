import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCall } from '../../actions/calls/call.ts';
import { leavesOf } from '../../actions/calls/leaves.ts';
import { latestAt, leavesAt } from './field-path.ts';

const leaves = leavesOf({
  amount: 1,
  customer: { id: 'C1', amount: 2 },
  items: [{ price: 3 }, { price: 4 }],
  'odd.name': 5,
});
const at = (path: string) => leavesAt(leaves, path).map(({ text }) => text);

test('a path is a name however deep, an end of a path, or a pattern; numbers of items may be left out', () => {
  assert.deepEqual(at('amount'), ['1', '2']);
  assert.deepEqual(at('customer.amount'), ['2']);
  assert.deepEqual(at('AMOUNT'), ['1', '2']);
  assert.deepEqual(at('items.price'), ['3', '4']);
  assert.deepEqual(at('items.1.price'), ['4']);
  assert.deepEqual(at('*pri*'), ['3', '4']);
  assert.deepEqual(at('mount'), [], 'a name is met whole');
  assert.deepEqual(at('odd.name'), ['5']);
  assert.deepEqual(at('__proto__'), []);
});

const answered = (tool: string, params: object, toolOutput: unknown) =>
  readCall({ role: 'agent', toolName: tool, toolParams: { ...params }, toolOutput });

test('the latest answer about the same thing that has the field is the one that counts', () => {
  const call = readCall({ role: 'agent', toolName: 'pay', toolParams: { order: 'O-1' } });
  const earlier = [
    answered('get_order', { order: 'O-1' }, { order: 'O-1', total: 5 }),
    answered('get_order', { order: 'O-2' }, { order: 'O-2', total: 9 }),
    answered('get_order', { order: 'O-1' }, { order: 'O-1', state: 'open' }),
  ];
  assert.deepEqual(
    latestAt({ call, earlier }, ['total', 'sum'])?.map(({ text }) => text),
    ['5'],
  );
  assert.equal(latestAt({ call, earlier }, ['weight']), undefined);
  assert.equal(latestAt({ call, earlier: [] }, ['total']), undefined);
});
