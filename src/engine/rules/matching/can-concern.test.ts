import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { canConcern } from './can-concern.ts';

const may = (sentence: string, ...effects: string[]) => {
  const form = readCanonical(sentence);
  assert.ok(form, sentence);
  return canConcern(form, new Set(effects));
};

test('a call without the effects of the act cannot be meant, and what is not told by effects may', () => {
  assert.equal(may('Deny when it deletes.', 'read'), false);
  assert.equal(may('Deny when it deletes.', 'delete', 'write'), true);
  assert.equal(may('Deny when it has the effect to move money.', 'write'), false);
  assert.equal(may('Deny when it deletes or pays.', 'pay'), true);
  assert.equal(may('Deny when it is the tool "x".', 'read'), true);
  assert.equal(may('Deny when it does what is called "escort".', 'read'), true);
});

test('of all parts each has to be possible, of any one, and what is not so is possible always', () => {
  assert.equal(may('Deny when it deletes and it has an amount of more than 5.', 'read'), false);
  assert.equal(may('Deny when it deletes or it has an amount of more than 5.', 'read'), true);
  assert.equal(may('Deny when it is not so that it deletes.', 'read'), true);
});
