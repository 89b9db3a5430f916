import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftRule } from './draft.ts';

test('a limit on money over a span of time is a sum over all sessions', () => {
  for (const [sentence, said] of [
    [
      'No more than $5,000 of refunds per customer per day.',
      /to refund within a day for the same "customer" to a total of more than "5000 USD"/,
    ],
    [
      'Do not refund more than 500 euros per customer per month.',
      /within a month for the same "customer" to a total of more than "500 EUR"/,
    ],
    [
      'Never transfer more than $2,000 per week.',
      /to pay or buy within a week to a total of more than "2000 USD"/,
    ],
    ['Refund no more than $50 daily.', /to refund within a day to a total of more than "50 USD"/],
    ['At most 3 GB may be exported a week.', /within a week by "\*size\*".* to a total of more than "3 GB"/],
  ] as const) {
    const { canonical, understood } = draftRule(sentence);
    assert.match(canonical ?? '', said, sentence);
    assert.equal(understood, 'fully', sentence);
  }
});

test('a limit on each act is none, and neither is one over two spans or for two parties', () => {
  for (const sentence of [
    'Never transfer more than $2,000.',
    'Never refund more than $200 per refund per day.',
    'No refunds over $500 per day or per week.',
    'No more than $500 of refunds per customer and per store a day.',
    'No refunds over $500 on the day of the sale.',
    'Raising a daily card limit above $5,000 is forbidden.',
    'Never refund more than $500 of purchases that are more than a month old.',
    'Never refund more than $500 within a day of the delivery.',
  ])
    assert.doesNotMatch(draftRule(sentence).canonical ?? '', /adds up, with those/, sentence);
});

test('where a sentence narrows what is added up, it is said that the sum is wider', () => {
  const { understood, doubts } = draftRule('No more than $5,000 of refunds per customer per day in Lapland.');
  assert.equal(understood, 'partly');
  assert.match(doubts.join(), /every call of these acts/);
});
