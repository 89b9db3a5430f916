import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalText } from '../canonical.ts';
import { draftRule } from './draft.ts';

const misread: readonly [sentence: string, ...unread: string[]][] = [
  ['Never share PII or audit logs.', 'audit', 'logs'],
  ['Never disable logging on the payment gateway.', 'logging'],
  ['Orders over $200 must not be shipped to a new address.', 'new'],

  ['Credit limits may be lowered, never raised.', 'raised'],
  ['Expense claims without a receipt get rejected.', 'rejected'],
];

test('a word that says something and is not looked for is named, and the rule is understood in part at most', () => {
  for (const [sentence, ...unread] of misread) {
    const draft = draftRule(sentence);
    assert.notEqual(draft.understood, 'fully', `${sentence}\n${draft.canonical}`);
    if (draft.understood === 'partly')
      for (const word of unread)
        assert.ok(
          draft.unread.includes(word),
          `${sentence}\n${draft.canonical}\nunread: ${draft.unread.join(', ')}`,
        );
  }
});

test('idioms that no grammar knows are not passed off as understood', () => {
  for (const sentence of [
    'The payroll folder is off limits.',
    'Nothing about the merger may be let out.',
    'The alarm is never to be switched off by you.',
    'Production servers must not be taken down during trading hours.',
  ])
    assert.notEqual(draftRule(sentence).understood, 'fully', `${sentence}\n${draftRule(sentence).canonical}`);
});

test('a plain sentence is understood fully, and each of its words leads to its predicate', () => {
  const { understood, spans, unread, rule, canonical } = draftRule('Never delete production databases.');
  assert.deepEqual([understood, unread], ['fully', []]);
  assert.deepEqual(
    spans.map(({ text, predicate }) => [text, predicate]),
    [
      ['delete', 'when.all[0]'],
      ['production', 'when.all[1]'],
      ['databases', 'when.all[1]'],
    ],
  );
  assert.ok(rule);
  assert.equal(canonical, canonicalText(rule));
});

test('a canonical sentence is read as the rule that it says', () => {
  const sentence = 'Deny when it is the tool "drop_*" and it has an argument "cascade" that is true.';
  const { rule, canonical, understood } = draftRule(sentence);
  assert.deepEqual([canonical, understood], [sentence, 'fully']);
  assert.ok(rule);
});

test('a count by the month is read as one, and a checked approval is offered where words would be believed', () => {
  const monthly = draftRule('No more than three refunds per customer per month.');
  assert.match(monthly.canonical ?? '', /within a month for the same "customer"/);
  assert.equal(monthly.understood, 'fully', `${monthly.unread.join(', ')} ${monthly.doubts.join(' ')}`);
  assert.match(monthly.alternatives[0]?.canonical ?? '', /in the session for the same "customer"/);
  const approved = draftRule('Refunds over $500 require the approval of the customer.').alternatives;
  assert.match(
    approved[0]?.canonical ?? '',
    /require that it was approved by "customer", else ask a person\.$/,
  );
});

test('what makes a misreading likely is said in a sentence, with the words that it is about', () => {
  const doubtful: readonly [sentence: string, doubt: RegExp][] = [
    ['A dose is never more than doubled in a single step.', /"than" was taken/],
    ['Lab results go to the portal, never by plain mail.', /"plain"|against each other/],
    ['For preorders no money is taken until the item ships.', /"until"/],
    ['A termination letter is drafted, not sent.', /against each other \("not"\)/],
    [
      'Credit notes above 1,000 euros go to the controller before they go out.',
      /any call that changes something/,
    ],
  ];
  for (const [sentence, doubt] of doubtful) {
    const { understood, doubts, canonical } = draftRule(sentence);
    assert.notEqual(understood, 'fully', canonical);
    assert.match(doubts.join(' '), doubt, canonical);
  }
  for (const sentence of [
    'Never delete production databases.',
    'Never delete files.',
    'No more than 3 e-mails per session.',
    'Ask before you buy anything.',
  ])
    assert.deepEqual(draftRule(sentence).doubts, [], sentence);
});
