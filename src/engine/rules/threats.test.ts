import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { createActionEngine } from '../actions/engine.ts';
import type { ActionEngine, ActionRule, ActionVerdict } from '../actions/types.ts';
import { judgeByForm } from './matching/judge-by-form.ts';
import { draftRule } from './reading/draft.ts';

let engine: ActionEngine;

before(async () => {
  engine = createActionEngine(await loadTextEngine(), judgeByForm);
});

const { rule: form, compiled } = draftRule(
  'Deny when it sends, shares or answers and it says something that threatens or harasses.',
);
const description = 'Never send threatening or harassing messages.';
const rule: ActionRule = { ruleId: 'rul_1', description, severity: 'High', form, compiled };
const threat =
  'I will find you and I will kill you and your whole family, you filthy pig. You are going to die tomorrow.';
const calm = 'The meeting about the garden moved to Thursday at ten, and Lena brings the plans. ';

function judge(toolName: string, toolParams: Record<string, unknown>): ActionVerdict {
  return engine.evaluate(
    [
      { role: 'user', content: 'Write to Ben about the garden.' },
      { role: 'agent', toolName, toolParams },
    ],
    [rule],
  );
}

const mail = (body: string, more: Record<string, unknown> = {}) =>
  judge('send_email', { to: 'ben@example.com', ...more, body });

/** Whether it is refused, and whether only since it was not read whole. */
const outcome = ({ findings: [finding] }: ActionVerdict): 'fine' | 'threat' | 'asks' =>
  finding === undefined ? 'fine' : finding.wantsPerson === true ? 'asks' : 'threat';

test('a threat is found wherever it stands in a text', () => {
  const places = [0, 10, 17, 18, 19, 40, 200].map((before) =>
    outcome(mail(`${calm.repeat(before)}${threat} ${calm.repeat(10)}`)),
  );
  assert.deepEqual(new Set(places), new Set(['threat']));
  assert.equal(outcome(mail(calm.repeat(200))), 'fine');
});

test('a threat is found in the last of many texts', () => {
  const lines = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`line_${at}`, `${calm}${at}`]));
  assert.equal(outcome(mail(threat, lines)), 'threat');
  assert.equal(outcome(mail(calm, lines)), 'fine');
});

test('what is too long to be searched for threats is told, and asks a person', () => {
  const whole = mail(calm.repeat(3500));
  assert.deepEqual([outcome(whole), whole.unread], ['fine', []]);
  const verdict = mail(calm.repeat(3500), { note: calm.repeat(3500) });
  assert.equal(outcome(verdict), 'asks');
  const [unread] = verdict.unread;
  assert.deepEqual([unread?.what, unread?.path, unread?.size], ['text', 'body', calm.length * 3500]);
  assert.match(verdict.findings[0]?.reason ?? '', /of `body` [\d,]+ of 287,000 characters were read/);
  assert.ok(verdict.facts.some((fact) => fact.startsWith('The call was not read whole: of `body`')));
});

test('texts beyond those that are searched are counted', () => {
  const lines = Object.fromEntries(Array.from({ length: 480 }, (_, at) => [`line_${at}`, `${calm}${at}`]));
  const verdict = mail(calm, lines);
  assert.equal(outcome(verdict), 'asks');
  assert.deepEqual(verdict.unread, [{ what: 'values', path: 'line_400', size: 481, read: 400 }]);
});

test('nothing is searched where the rule is about other calls', () => {
  const verdict = judge('write_file', { path: '/srv/a.txt', content: calm.repeat(3500) });
  assert.deepEqual([outcome(verdict), verdict.unread], ['fine', []]);
});
