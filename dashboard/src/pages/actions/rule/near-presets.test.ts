import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './near-presets.ts';

test('the nearest rules come first, and those that share no word are left out', () => {
  const rules = [
    'Never delete files.',
    'Payments need approval.',
    'No mail to strangers.',
    'Large payments to new suppliers.',
  ];
  const found = nearest(rules, 'Our treasurer looks at each payment to a supplier.', (one) => one, 3);
  assert.deepEqual(found, ['Large payments to new suppliers.', 'Payments need approval.']);
});
