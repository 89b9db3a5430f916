import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import {
  type WrittenRule,
  readRuleFile,
  readWrittenRules,
  ruleFiles,
} from '../../../test/fixtures/action-rules/read-written.ts';
import { withApprovalsTold } from './fixtures/approvals-told.ts';
import { ruleOf } from './fixtures/rule-of.ts';
import { judgeByForm } from './matching/judge-by-form.ts';
import type { RuleForm } from './rule-form.ts';
import { createActionEngine } from '../actions/engine.ts';
import type { ActionEngine, RuleFinding, TraceStep } from '../actions/types.ts';

let engine: ActionEngine;
const written = readWrittenRules();
const people = ruleFiles('people').flatMap(readRuleFile);

before(async () => {
  engine = createActionEngine(await loadTextEngine(), judgeByForm);
});

function judge({ rule, ownDomains }: WrittenRule, steps: TraceStep[], now: Date): RuleFinding | undefined {
  const read = ruleOf({ description: rule, severity: 'High' });
  const rules = [
    { ...read, ...(read.form !== undefined && { form: withApprovalsTold(read.form as RuleForm) }) },
  ];
  return engine.evaluate(steps, rules, { now, ownDomains }).findings[0];
}

/** A matcher that blocks each trace which breaks the rule, and says nothing of the innocent ones. */
function isRight(one: WrittenRule): boolean {
  const { kind } = ruleOf({ description: one.rule, severity: 'High' }).compiled;
  const caught = one.breaks.every((steps) => judge(one, steps, one.breaksAt)?.certainty === 'sure');
  return (
    kind === 'matcher' && caught && one.keeps.every((steps) => judge(one, steps, one.keepsAt) === undefined)
  );
}

const contradicts = (one: WrittenRule) =>
  one.keeps.some((steps) => judge(one, steps, one.keepsAt)?.certainty === 'sure');

test('at least 85 % of 290 rules compile to a matcher that is right on their traces', () => {
  const wrong = written.filter((one) => !isRight(one));
  assert.equal(written.length, 290);
  assert.ok(
    wrong.length <= 0.15 * written.length,
    `${wrong.length} are wrong:\n${wrong.map(({ rule }) => rule).join('\n')}`,
  );
});

test('of rules in the words of many people, with four traces each, most are right on all four', (t) => {
  const right = people.filter(isRight).length;
  t.diagnostic(`${right} of ${people.length} right`);
  assert.ok(right >= 0.65 * people.length, `${right} of ${people.length}`);
});

test('no rule of ours blocks what its text allows', () => {
  assert.deepEqual(
    written.filter(contradicts).map(({ rule }) => rule),
    [],
  );
});

test('of rules in the words of many people hardly one blocks what its text allows', () => {
  const against = people.filter(contradicts).map(({ rule }) => rule);
  assert.ok(against.length <= 0.03 * people.length, against.join('\n'));
});
