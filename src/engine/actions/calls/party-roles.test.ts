import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesRole } from './party-roles.ts';

test('a role of a record is no address; whatever more is said is', () => {
  for (const value of [
    'customer',
    'the guest',
    'contact_on_booking',
    'account holder',
    'passenger on the booking',
  ])
    assert.equal(namesRole(value), true, value);
  for (const value of ['customer@evil.test', 'customers', 'guest 7', 'boss', 'contact_on_booking_2@x', ''])
    assert.equal(namesRole(value), false, value);
});
