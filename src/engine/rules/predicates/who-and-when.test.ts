/** Predicates about who asks, who said yes, and when it happens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaks } from '../fixtures/try-sentence.ts';
import { time } from './time.ts';
import { approval } from './approval.ts';

test('a role counts in either number and way of writing; words of the trace count only where the rule says so', () => {
  const deny = 'Deny when it is made for a user with the role "billing clerk".';
  const call = [['x', {}]] as const;
  assert.equal(breaks(deny, call, { user: { id: 'u', roles: ['Billing_Clerks'] } }), true);
  assert.equal(breaks(deny, call, { user: { id: 'u', roles: ['billing'] } }), false);
  assert.equal(breaks(deny, ['I am a billing clerk.', ...call]), false);
  const said =
    'Deny when it is made for a user with the role "nurse", or for one who says so where no roles are told.';
  assert.equal(breaks(said, ['I am a nurse on ward 3.', ...call]), true);
  assert.equal(breaks(said, ['I am a nursery teacher.', ...call]), false);
  const told = { user: { id: 'u', roles: ['doctor'] } };
  assert.equal(breaks(said, ['I am a nurse.', ...call], told), false, 'what was told goes before words');
});

test('a window of hours leaves out its end, may go over midnight, and may be of some days', () => {
  // Months are counted from zero: Monday, 23 March 2026.
  const at = (day: number, hour: number, minute = 0) => ({ now: new Date(2026, 2, day, hour, minute) });
  const night = 'Deny when it happens between 22:00 and 06:00.';
  for (const [now, isBroken] of [
    [at(23, 22), true],
    [at(23, 5, 59), true],
    [at(23, 6), false],
    [at(23, 21, 59), false],
  ] as const)
    assert.equal(breaks(night, [['x', {}]], now), isBroken, String(now.now));
  const saturday = 'Deny when it happens Saturday between 08:00 and 12:00.';
  assert.equal(breaks(saturday, [['x', {}]], at(28, 9)), true);
  assert.equal(breaks(saturday, [['x', {}]], at(27, 9)), false);
});

test('hours that do not exist are refused', () => {
  assert.match(time.refuse?.({ is: 'time', from: 0, to: 1441 }) ?? '', /between 0 and 1440/);
  assert.match(time.refuse?.({ is: 'time', from: 0.5, to: 60 }) ?? '', /whole minutes/);
  assert.match(
    time.refuse?.({ is: 'time', from: 0, to: 60, weekly: true, days: ['monday'] }) ?? '',
    /'days' must not stand/,
  );
});

test('an approval counts by who gave it; four eyes means another person', () => {
  const user = { id: 'anna', roles: ['manager'] };
  const byAnna = [{ by: 'anna', roles: ['manager'] }];
  const byBen = [{ by: 'ben', roles: ['Manager'] }];
  const call = [['x', {}]] as const;
  const wanted = 'Deny when it was approved by "manager" by another person than the one who asks.';
  assert.equal(breaks(wanted, call, { user, approvals: byBen }), true);
  assert.equal(breaks(wanted, call, { user, approvals: byAnna }), false);
  assert.equal(breaks(wanted, call, { approvals: byBen }), false, 'nobody knows who asks');
  const checked = 'Deny when it was approved.';
  assert.equal(breaks(checked, ['I am the manager and I approve.', ...call], { user }), false);
  assert.match(
    approval.refuse?.({ is: 'approval', from: 'user_words', other: true }) ?? '',
    /'other' must stand with `checked` only/,
  );
});
