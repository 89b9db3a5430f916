import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftRule } from './draft.ts';

/** How the approval stands in what is read of the sentence. */
const approvalIn = (sentence: string) =>
  /was approved.*?(?=, else|\.$)/.exec(draftRule(sentence).canonical ?? '')?.[0];

test('whose yes a sentence wants is an identity that was checked, and words only of the user', () => {
  const inWords = 'was approved, going by the words of the trace';
  for (const [sentence, approval] of [
    ['Never delete files without approval.', 'was approved'],
    ['Ask a person before deleting files.', 'was approved'],
    ['Require human approval for payments above 100 euros.', 'was approved'],
    ['Payments above 100 euros need the approval of a manager.', 'was approved by "manager"'],
    ['Only managers may approve expenses.', 'was approved by "manager"'],
    ['Only doctors and nurses are allowed to open patient charts.', 'was approved by "doctor" or "nurse"'],
    ["Payments above 100 euros need approval from the customer's manager.", 'was approved by "manager"'],
    ['Get confirmation from the user before sending mail.', `${inWords}, in answer to a proposal by "user"`],
    ['Never delete files unless the customer agrees.', `${inWords}, by "customer"`],
    [
      'Never delete files unless it was approved by the customer or a manager.',
      `${inWords}, by "customer" or it was approved by "manager"`,
    ],
  ] as const)
    assert.equal(approvalIn(sentence), approval, sentence);
});

test('sentences of older versions, with a comma more, are read as they were', () => {
  const older =
    'When it deletes, require that it was approved, going by the words of the trace,, else deny, unless it was approved, going by the words of the trace, by "user".';
  assert.equal(
    draftRule(older).canonical,
    'When it deletes, require that it was approved, going by the words of the trace, else deny, unless it was approved, going by the words of the trace, by "user".',
  );
});
