import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesGlob, refuseGlob } from './glob.ts';

const cases: readonly [glob: string, text: string, matches: boolean][] = [
  ['send_mail', 'Send_Mail', true],
  ['send_mail', 'send_mails', false],
  ['send_*', 'send_', true],
  ['*_mail', 'send_mail', true],
  ['*_mail', 'send_mail_now', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*', '', true],
  // The same letters cannot be both beginning and end.
  ['ab*ba', 'aba', false],
  ['ab*ba', 'abba', true],
  // What means something in a regular expression is a plain letter here.
  ['a.c', 'abc', false],
];

test('a star stands for any characters, in either case of letters', () => {
  for (const [glob, text, matches] of cases)
    assert.equal(matchesGlob(glob, text), matches, `${glob} and ${text}`);
});

test('a glob may have eight stars', () => {
  assert.equal(refuseGlob('*a*b*c*d*e*f*g*'), undefined);
  assert.match(refuseGlob('*a*b*c*d*e*f*g*h*') ?? '', /at most 8 stars/);
});
