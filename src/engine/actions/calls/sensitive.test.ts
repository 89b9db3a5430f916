import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsClass, namesClass } from './sensitive.ts';

test('groups of four digits are a card, and behind the beginning of an account none', () => {
  assert.ok(holdsClass('Use 4111 1111 1111 1111.', 'card'));
  assert.ok(!holdsClass('Our account: AT61 1904 3002 3457 3201.', 'card'));
});

test('a route is no bank, and customs are no customers', () => {
  assert.ok(!namesClass('route R-8', 'bank'));
  assert.ok(namesClass('routing number', 'bank'));
  assert.ok(!namesClass('zoll@customs.example', 'customer'));
  assert.ok(namesClass('customer list', 'customer'));
});
