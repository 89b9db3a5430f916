import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalText } from '../canonical.ts';
import { liftAll } from './lift-condition.ts';

const lifted = (...conditions: Parameters<typeof liftAll>[0]) =>
  canonicalText({ when: liftAll(conditions), on_missing: 'deny' });

test('a bound that counts itself is kept as one, and a plain one as more than', () => {
  assert.match(lifted({ test: 'amount', over: 500, inclusive: false, total: false }), /of more than 500\./);
  assert.match(lifted({ test: 'amount', over: 500, inclusive: true, total: true }), /at least 500 together/);
  assert.match(lifted({ test: 'amount_under', under: 5 }), /at most 5/);
  assert.match(
    lifted({ test: 'number', of: ['a'], over: 1, under: 9 }),
    /more than 1 and less than 9 for "a"/,
  );
});

test('each test of the grammar has words of its own', () => {
  assert.match(
    lifted({ test: 'repeat', over: 3, senses: ['pay'], per: ['customer'] }),
    /after more than 3 .* to pay in the session for the same "customer"/,
  );
  assert.match(
    lifted({ test: 'destination', where: 'outside', domains: [] }),
    /goes outside of the own domains/,
  );
  assert.match(lifted({ test: 'path', where: 'under', prefixes: ['/etc'] }), /below "\/etc"/);
  assert.match(lifted({ test: 'acts' }), /does more than look something up/);
  assert.match(lifted({ test: 'own' }), /what the agent itself made before/);
});
