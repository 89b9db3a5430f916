import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Matcher, matches } from './matcher.ts';
import { plainValues } from './written-values.ts';

const same: [wanted: string, written: string][] = [
  ['12,400', 'Renewing costs €12 400 per year.'],
  ['12,400', 'It costs 12400 a year.'],
  ['12400', "CHF 12'400"],
  ['41,250.00', 'Die Summe ist 41.250,00 Euro.'],
  ['20 March', 'They want an answer by March 20th.'],
  ['19 March', 'on the 19th of March'],
  ['22 April 2026', 'from 2026-04-22 on'],
  ['2026-04-22', 'April 22, 2026'],
  ['14:30', 'at 2:30 pm'],
  ['09:00', '9 a.m. in the Cedar room'],
  ['12:15', 'a quarter past noon (12:15 PM)'],
  ['00:05', '12:05 am'],
  ['3 percent', 'a penalty of 3% a week'],
  ['150', 'up to one hundred and fifty a night'],
  ['2150', 'two thousand one hundred fifty'],
  ['21', 'twenty-one days'],
  ['third', 'the 3rd floor'],
  ['812.5', 'it was 812.50 in all'],
  ['ord_1', 'orders: ord_145, ord_146'],
  ['662-190', 'the code is 662190'],
  ['+49 30 5550 888', 'sent to +49305550888'],
];
for (const [wanted, written] of same)
  test(`"${wanted}" is in "${written}"`, () => {
    assert.equal(matches(written, { contains: wanted }), true);
    assert.equal(matches(written, { not_contains: wanted }), false);
  });

const different: [wanted: string, written: string][] = [
  ['20 March', 'by 21 March'],
  ['20 March', '2 March'],
  ['14:30', '2:30 am'],
  ['12,400', '12,4000'],
  ['812.5', '812.51'],
  ['12.40', '12,400'],
  ['3 percent', '3 people'],
  ['150', 'one hundred and five'],
  ['60', 'the sum is 160'],
  ['60', 'the sum is 1,600'],
  ['662-190', '662-191'],
  ['2026-04-22', '2026-04-02'],
];
for (const [wanted, written] of different)
  test(`"${wanted}" is not in "${written}"`, () => {
    assert.equal(matches(written, { contains: wanted }), false);
  });

const equal: [matcher: Matcher, value: unknown, expected: boolean][] = [
  ['+49 30 5550 740', '+49305550740', true],
  ['+49 30 5550 740', '+49305550741', false],
  ['DE89 3704 0044', 'DE8937040044', false],
  ['14:30', '2:30 pm', true],
];
for (const [matcher, value, expected] of equal)
  test(`${JSON.stringify(value)} ${expected ? 'equals' : 'differs from'} ${JSON.stringify(matcher)}`, () => {
    assert.equal(matches(value, matcher), expected);
  });

test('A long text is read in time proportional to its length', () => {
  for (const part of ['1 ', '1,', 'one hundred and ', '20 march ', '(1) ', "1'111 "])
    assert.ok(plainValues(part.repeat(100_000)).length > 0);
});
