import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutIdioms } from './idioms.ts';

const cases: readonly (readonly [sentence: string, plain: string])[] = [
  ['The alarm must never be switched off.', 'The alarm must never be disabled.'],
  ['Never switch off the alarm.', 'Never disable the alarm.'],
  ['Servers must not be taken down at noon.', 'Servers must not be stopped at noon.'],
  ['Do not take down servers.', 'Do not stop servers.'],
  ['Nothing about the merger may be let out.', 'the merger must never be disclosed.'],
  ['Bids without a deposit are refused.', 'Never accept bids without a deposit.'],
  ['Prices may be cut, never raised.', 'Prices must never be raised.'],
  ['Withdrawals are off-limits.', 'Withdrawals are forbidden.'],
  ['The payroll folder is off limits.', 'The payroll folder must not be read, changed, shared or deleted.'],
];

test('idioms become plain words', () => {
  for (const [sentence, plain] of cases) assert.equal(withoutIdioms(sentence), plain);
});

test('a sentence without an idiom stays as it is', () => {
  for (const sentence of ['Never delete files.', 'Turn to a person first.', 'Orders are shipped on Mondays.'])
    assert.equal(withoutIdioms(sentence), sentence);
});

test('a long text takes no longer than its length', () => {
  const long = `nothing about ${'a '.repeat(2000)}may be`;
  assert.equal(withoutIdioms(long), long);
});
