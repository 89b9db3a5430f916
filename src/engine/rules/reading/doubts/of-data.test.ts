import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftRule } from '../draft.ts';

const doubts = (sentence: string) => draftRule(sentence).doubts.join(' ');

test('a kind of data that stands for one thing of the kind is doubted', () => {
  for (const [sentence, word] of [
    ['The wages spreadsheet is off limits.', 'wages'],
    ['Confirm who is calling before changing a passphrase.', 'passphrase'],
    ['Never share a passport number.', 'passport'],
    ['Never share prescriptions.', 'prescriptions'],
  ] as const) {
    assert.match(doubts(sentence), new RegExp(`"${word}" was read as .* of any kind`), sentence);
    assert.equal(draftRule(sentence).understood, 'partly');
  }
});

test('the kind by its name, and many parts of it, are what they say', () => {
  for (const sentence of [
    'Never share personal data.',
    'Never post credentials.',
    'Never post passwords, API keys or tokens.',
    'Never share health records.',
  ])
    assert.doesNotMatch(doubts(sentence), /of any kind/, sentence);
});

test('whose data it is may not be lost', () => {
  assert.match(doubts('Never change the bank details of a supplier.'), /"supplier" has no place/);
  assert.match(doubts("Never change a tenant's bank details."), /"tenant" has no place/);
  assert.doesNotMatch(doubts('Never change bank details.'), /has no place/);
});
