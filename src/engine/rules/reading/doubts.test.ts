import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { doubtsAbout } from './doubts.ts';
import { draftRule } from './draft.ts';

/** Each doubt has a sentence that raises it and one beside it that does not. */
for (const [doubt, raises, doesNot] of [
  [
    /"customer" agreed is looked for in the words of the trace/,
    'Refunds over $500 need approval by the customer.',
    'Refunds over $500 are forbidden.',
  ],
  [
    /Only who has the role "manager" may approve/,
    'Refunds over $500 need approval by a manager.',
    'Refunds over $500 need approval.',
  ],
  [/sets two things against each other/, 'Never refund until it ships.', 'Never refund.'],
  [
    /A word such as "it"/,
    'If a customer is angry, it is not refunded.',
    'Angry customers must not be refunded.',
  ],
  [/names a rank/, 'Never book above economy class.', 'Never book above $500.'],
  [
    /any call that changes something is meant/,
    'Spend no more than 200 euros.',
    'Pay no more than 200 euros.',
  ],
  [
    /was taken for the name of a thing/,
    'Ask before transfers add up to more than 5000 CHF.',
    'Ask before transfers of more than 5000 CHF.',
  ],
] as const)
  test(`doubtful: ${raises}`, () => {
    assert.match(draftRule(raises).doubts.join('\n'), doubt);
    assert.doesNotMatch(draftRule(doesNot).doubts.join('\n'), doubt, doesNot);
  });

test('a number that was lost and a sentence that commands nothing are doubtful', () => {
  const form = readCanonical('Deny when it deletes and it concerns "backups".');
  assert.ok(form);
  assert.match(doubtsAbout('Never delete 30 backups.', form).join(), /The number "30" has no place/);
  assert.doesNotMatch(doubtsAbout('Never delete one backup.', form).join(), /has no place in the rule\.$/);
  assert.match(doubtsAbout('Backups are deleted with care.', form).join(), /neither forbids nor demands/);
  assert.doesNotMatch(doubtsAbout('Backups must not be deleted.', form).join(), /neither forbids/);
});

test('a sentence that says its form exactly raises no doubt', () => {
  assert.deepEqual(draftRule('Deny when it pays, unless it was approved by "it".').doubts, []);
});
