import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForm } from '../check-form.ts';
import { breaks } from '../fixtures/try-sentence.ts';

const needsCheck =
  'When it is the tool "pay", require that it comes after a call of the tool "check_*" for the same "invoice" where "ok" is a field that is true, else deny.';

test('an earlier call has to be of the tool, about the same thing and to have answered so', () => {
  const pay = ['pay', { invoice: 'I1' }] as const;
  assert.equal(breaks(needsCheck, [['check_invoice', { invoice: 'I1' }, { ok: true }], pay]), false);
  assert.equal(breaks(needsCheck, [['check_invoice', { invoice: 'I1' }, { ok: false }], pay]), true);
  assert.equal(breaks(needsCheck, [['check_invoice', { invoice: 'I2' }, { ok: true }], pay]), true);
  assert.equal(breaks(needsCheck, [['get_invoice', { invoice: 'I1' }, { ok: true }], pay]), true);
  assert.equal(breaks(needsCheck, [pay]), true);
});

test('calls are counted where it is said how many', () => {
  const locked =
    'Deny when it is the tool "login" and it comes after a call of the tool "login" at least 3 times for the same "user" where "status" is a field that is "failed".';
  const failed = ['login', { user: 'a' }, { status: 'failed' }] as const;
  const other = ['login', { user: 'b' }, { status: 'failed' }] as const;
  const last = ['login', { user: 'a' }] as const;
  assert.equal(breaks(locked, [failed, failed, failed, last]), true);
  assert.equal(breaks(locked, [failed, failed, other, last]), false);
});

test('a value of an earlier answer may stand in a text of the call', () => {
  const named =
    'Deny when it comes after a call of the tool "get_case" where "witness" is a field that stands in the argument "body".';
  const known = ['get_case', { id: 'K1' }, { witness: 'Karl Holm' }] as const;
  assert.equal(breaks(named, [known, ['send', { body: 'It was Karl Holm.' }]]), true);
  assert.equal(breaks(named, [known, ['send', { body: 'It was raining.' }]]), false);
});

test('a comparison without a path, and a count that is none, are refused', () => {
  const refused: readonly [object, RegExp][] = [
    [{ is: 'earlier_call', tools: ['a'], operator: 'is', value: 1 }, /'path' and 'operator'/],
    [{ is: 'earlier_call', tools: ['a'], times: 1 }, /'times' must be a whole number/],
    [{ is: 'argument', path: 'a', operator: 'over', value: { days_from_now: 1 } }, /a day from now only/],
    [
      { is: 'argument', path: 'a', operator: 'like', value: { argument: 'b', times: 2 } },
      /'times' and 'plus' must stand only/,
    ],
    [{ is: 'argument', path: 'a', operator: 'shorter', value: 'x' }, /number of characters/],
    [{ is: 'dates', first: '12-20', last: '5', where: 'within' }, /days such as/],
    [{ is: 'dates', first: '2026-12-20', last: '2026-01-05', where: 'within' }, /must not lie after/],
  ];
  for (const [when, reason] of refused) {
    const checked = checkForm({ when });
    assert.ok('problem' in checked, JSON.stringify(when));
    assert.match(checked.problem, reason);
  }
});
