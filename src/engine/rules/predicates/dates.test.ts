import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaks } from '../fixtures/try-sentence.ts';

const call = [['deploy', { due: '2026-12-24', made: '2026-10-01T08:00:00' }]] as const;
const at = (day: string) => ({ now: new Date(`${day}T12:00:00`) });

test('spans of the calendar go over the turn of the year and of the month', () => {
  const freeze = 'Deny when it falls in the days from "12-20" to "01-05".';
  for (const [day, isBroken] of [
    ['2026-12-20', true],
    ['2027-01-05', true],
    ['2026-12-19', false],
    ['2027-01-06', false],
  ] as const)
    assert.equal(breaks(freeze, call, at(day)), isBroken, day);
  const payroll = 'Deny when it falls outside of the days from "25" to "03".';
  assert.equal(breaks(payroll, call, at('2026-11-10')), true);
  assert.equal(breaks(payroll, call, at('2026-11-27')), false);
  assert.equal(breaks(payroll, call, at('2026-12-02')), false);
  const once = 'Deny when it falls in the days from "2026-12-01" to "2026-12-03".';
  assert.equal(breaks(once, call, at('2026-12-02')), true);
  assert.equal(breaks(once, call, at('2027-12-02')), false);
});

test('a date is compared with a day counted from today', () => {
  const late = 'Deny when it has an argument "due" that is after 30 days from now.';
  assert.equal(breaks(late, call, at('2026-11-20')), true);
  assert.equal(breaks(late, call, at('2026-11-24')), false);
  const old = 'Deny when it has an argument "made" that is before -14 days from now.';
  assert.equal(breaks(old, call, at('2026-10-15')), false);
  assert.equal(breaks(old, call, at('2026-10-16')), true);
  const today = 'Deny when it has an argument "made" that is 0 days from now.';
  assert.equal(breaks(today, call, at('2026-10-01')), true);
});
