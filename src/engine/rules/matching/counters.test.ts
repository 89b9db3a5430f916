import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { countersOf, keysIn, kindOfCall } from './counters.ts';

const counters = (...sentences: readonly string[]) =>
  countersOf(
    sentences.map((sentence) => {
      const form = readCanonical(sentence);
      assert.ok(form, sentence);
      return form;
    }),
  );
const count = (over: number, acts: string, window = 'day') =>
  `Deny when it comes after more than ${over} of its kind, itself counted, to ${acts} within a ${window} for the same "customer".`;
const sum = (most: string, by = '') =>
  `Deny when it adds up, with those of its kind before it, to refund within a day for the same "customer"${by} to a total of more than ${most}.`;

test('rules that count the same share a counter, whatever their limits and the order of their acts', () => {
  const found = counters(
    count(3, 'refund or pay'),
    count(5, 'pay or refund'),
    count(3, 'refund or pay', 'week'),
  );
  assert.deepEqual(
    found.map(({ window }) => window),
    ['day', 'week'],
  );
  assert.equal(new Set(found.map(({ id }) => id)).size, 1, 'windows are of the same calls');
});

test('what is added up has a counter for each way of adding it up', () => {
  const found = counters(count(3, 'refund'), sum('5'), sum('"5 EUR"'), sum('"9 USD"'), sum('5', ' by "net"'));
  assert.equal(new Set(found.map(({ id }) => id)).size, 4);
  assert.deepEqual(
    found.map(({ added }) => added?.of),
    [undefined, [], [], ['net']],
  );
});

test('the session alone needs no counter', () => {
  assert.deepEqual(
    counters(
      'Deny when it comes after more than 3 of its kind, itself counted, in the session.',
      'Deny when it deletes.',
    ),
    [],
  );
});

test('for whom a call counts: no key where it does not say, nothing where it is of another kind', () => {
  const [counter] = counters(count(3, 'refund'));
  assert.ok(counter);
  const keys = (toolName: string, toolParams: object) =>
    keysIn({ role: 'agent', toolName, toolParams: { ...toolParams } }, counter);
  assert.deepEqual(keys('issue_refund', { customer_id: 'C1' }), ['c1']);
  assert.deepEqual(keys('issue_refund', { amount: 5 }), []);
  assert.equal(keys('send_mail', { customer_id: 'C1' }), undefined);
  assert.equal(keys('', {}), undefined);
});

test('a counter without acts is one of each tool', () => {
  const [counter] = counters(
    'Deny when it comes after more than 3 of its kind, itself counted, within a day.',
  );
  assert.ok(counter);
  const name = (toolName: string) => kindOfCall({ role: 'agent', toolName }, counter);
  assert.notEqual(name('a'), name('b'));
  assert.deepEqual(keysIn({ role: 'agent', toolName: 'a', toolParams: {} }, counter), []);
});
