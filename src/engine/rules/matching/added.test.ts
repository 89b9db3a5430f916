import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCall } from '../../actions/calls/call.ts';
import { addUp, amountsOf, lastCall } from './added.ts';

const call = (toolParams: object) =>
  readCall({ role: 'agent', toolName: 'pay', toolParams: { ...toolParams } });
const sums = (params: object, of: readonly string[] = [], hasUnit = true) =>
  Object.fromEntries(amountsOf({ call: call(params), earlier: [] }, { of, hasUnit }));

test('money is known by its name, in the currency that the call names', () => {
  assert.deepEqual(sums({ amount: 5 }), { '': 5 });
  assert.deepEqual(sums({ amount: 5, currency: 'eur' }), { EUR: 5 });
  assert.deepEqual(sums({ amount_usd: '5' }), { USD: 5 });
  assert.deepEqual(sums({ amount: -5 }), { '': 5 });
  assert.deepEqual(sums({ order: 'A1' }), {});
  assert.deepEqual(sums({ amount: 'much' }), {});
});

test('each item of a list has the currency that stands beside it', () => {
  const lines = [
    { amount: 1, currency: 'EUR' },
    { amount: 2, currency: 'USD' },
    { amount: 3, currency: 'EUR' },
  ];
  assert.deepEqual(sums({ lines }, ['lines.amount']), { EUR: 4, USD: 2 });
});

test('a unit stands in the value, or in the name where the limit has one', () => {
  assert.deepEqual(sums({ size_mb: 2 }, ['size*']), { size: 2e6 });
  assert.deepEqual(sums({ size_mb: 2 }, ['size*'], false), { '': 2 });
  assert.deepEqual(sums({ size: '2 KB' }, ['size*'], false), { size: 2000 });
  assert.deepEqual(sums({ size_mb: 2 }, ['size*', '*mb']), { size: 2e6 }, 'a value counts once');
  assert.deepEqual(sums({ note: 'x' }, ['size*']), {});
});

test('what the call does not say is looked for in the latest answer about its thing', () => {
  const toolOutput = { order: 'O-1', total: 90 };
  const read = readCall({ role: 'agent', toolName: 'get_order', toolParams: { order: 'O-1' }, toolOutput });
  const known = (order: string) => ({ call: call({ order }), earlier: [read] });
  assert.deepEqual([...amountsOf(known('O-1'), { of: [], hasUnit: true })], [['', 90]]);
  assert.deepEqual([...amountsOf(known('O-1'), { of: ['total'], hasUnit: true })], [['', 90]]);
  assert.equal(amountsOf(known('O-2'), { of: ['total'], hasUnit: true }).size, 0);
});

test('sums have no digits that nobody wrote', () => {
  assert.deepEqual(
    [
      ...addUp([
        ['', 0.1],
        ['', 0.2],
        ['EUR', 1],
      ]),
    ],
    [
      ['', 0.3],
      ['EUR', 1],
    ],
  );
});

test('the last call is the last step of the agent, with the calls of tools before it', () => {
  const found = lastCall([
    { role: 'agent', toolName: 'a', toolParams: {} },
    { role: 'agent', action: 'I go on.' },
    { role: 'agent', toolName: 'b', toolParams: {} },
    { role: 'user', content: 'Well?' },
  ]);
  assert.deepEqual([found?.call.toolName, found?.earlier.map(({ toolName }) => toolName)], ['b', ['a']]);
  assert.equal(lastCall([{ role: 'user', content: 'Hello' }]), undefined);
});
