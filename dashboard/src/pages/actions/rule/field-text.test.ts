import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfField, valueOfField } from './field-text.ts';

const goesRound = (type: 'things' | 'operand', value: unknown) =>
  assert.deepEqual(valueOfField({ type }, textOfField({ type }, value)), value);

test('a thing is the same after it was shown and read', () => {
  goesRound('things', [{ words: ['backups'], exact: ['production'], whole: true }]);
  goesRound('things', [{ words: ['customer', 'records'] }, { words: [], exact: ['audit log'] }]);
});

test('texts that look like numbers, truths or objects stay texts', () => {
  for (const value of ['42', 42, 'true', true, '007', '1e3', '1.50', 1.5, '"said"', '{x}', 'eu-west-1'])
    goesRound('operand', value);
  goesRound('operand', ['42', 42, 'a', 'false']);
  goesRound('operand', { argument: 'limit', times: 2 });
});

test('what a person types is a number where it is written as one', () => {
  assert.equal(valueOfField({ type: 'operand' }, '42'), 42);
  assert.equal(valueOfField({ type: 'operand' }, '"42"'), '42');
  assert.equal(valueOfField({ type: 'operand' }, '007'), '007');
});
