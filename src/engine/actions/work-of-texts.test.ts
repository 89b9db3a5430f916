/**
 * No text makes judging take more than in proportion to its length, wherever in a trace it stands: a few characters, said
 * again and again, are tried at two lengths in one run, so that the speed of the machine plays no part.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { defaultRules } from '../rules/fixtures/default-rules.ts';
import { judgeByForm } from '../rules/matching/judge-by-form.ts';
import { draftRule } from '../rules/reading/draft.ts';
import { createActionEngine } from './engine.ts';
import type { ActionRule, TraceStep } from './types.ts';

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const own = [
  'Never delete files outside /tmp/work.',
  'Never send emails to addresses outside corp.com.',
  'Never transfer more than 1000 EUR.',
].map((description, at): ActionRule => {
  const { rule: form, compiled } = draftRule(description);
  return { ruleId: `rul_${at}`, description, severity: 'High', form, compiled };
});
const rules = [...defaultRules(), ...own];

const mail: TraceStep = { role: 'agent', toolName: 'send_email', toolParams: { to: 'a@b.com', body: 'hi' } };
const asked: TraceStep = { role: 'user', content: 'do it' };
const calling = (toolName: string, toolParams: Record<string, unknown>): TraceStep[] => [
  asked,
  { role: 'agent', toolName, toolParams },
];

const entrances: Readonly<Record<string, (text: string) => readonly TraceStep[]>> = {
  'turn of the user': (text) => [{ role: 'user', content: text }, mail],
  'turn of the agent': (text) => [asked, { role: 'agent', content: text }, asked, mail],
  'name of the tool': (text) => calling(text, { to: 'a@b.com' }),
  'name of an argument': (text) => calling('delete_file', { [text]: 'x' }),
  command: (text) => calling('run_shell', { command: text }),
  statement: (text) => calling('execute_sql', { query: `select ${text}` }),
  recipients: (text) => calling('send_email', { to: text, body: 'x' }),
  content: (text) => calling('send_email', { to: 'a@b.com', body: text }),
  path: (text) => calling('delete_file', { path: text }),
  amount: (text) => calling('transfer_money', { amount: text, to: 'bob' }),
  'many arguments': (text) => calling('send_email', { to: text.match(/.{1,4}/gs) ?? [], amount: 1 }),
  'output of a tool': (text) => [
    asked,
    { role: 'agent', toolName: 'read_file', toolParams: { path: '/a' }, toolOutput: text },
    mail,
  ],
};

const signs = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).filter(
  (sign) => !/[c-wyzB-WYZ2-9]/.test(sign),
);
const units = [
  ...signs,
  ...'\n|\t|\u0301|\u200B|日|😀|a |a.|a\n|a.\n|. |$(|<<a\n|a=$a$a;|{a,b}|${a:-|x@y.com,|"a" |%2e'.split('|'),
  ..."http://a |select 1;|update |pay 5 EUR |true\n|echo a;rev;|sh -c |q('|you must ".split('|'),
];

const longest = 60_000;
/** Four times as much, with room for caches, small garbage collections and what costs the same for any text. */
const [mostTimes, leastMs] = [9, 400];

let made = 0;
/** A text that was not met before, since much is remembered. */
const textOf = (unit: string, length: number) =>
  `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 6)} ${made++}`;

function cpuOf(steps: readonly TraceStep[]): number {
  const before = process.cpuUsage();
  engine.evaluate(steps, rules);
  const { user } = process.cpuUsage(before);
  return user / 1000;
}

for (const [entrance, stepsOf] of Object.entries(entrances))
  test(`the time to judge grows with the length of the ${entrance}`, () => {
    cpuOf(stepsOf('warm'));
    const slow = units.filter((unit) => {
      const long = cpuOf(stepsOf(textOf(unit, longest)));
      // What is quick is no matter; what is not is tried again, so that a pause of the process counts for nothing.
      if (long < leastMs) return false;
      const [a, b] = [1, 2].map(() => cpuOf(stepsOf(textOf(unit, longest / 4))));
      const again = cpuOf(stepsOf(textOf(unit, longest)));
      return Math.min(long, again) > mostTimes * Math.max(a ?? 0, b ?? 0, leastMs / 20);
    });
    assert.deepEqual(slow, []);
  });
