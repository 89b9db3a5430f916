import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { type WrittenRule, readWrittenRules } from '../../../test/fixtures/action-rules/read-written.ts';
import { createActionEngine } from './engine.ts';
import type { ActionEngine, RuleFinding, TraceStep } from './types.ts';

let engine: ActionEngine;
const written = readWrittenRules();

before(async () => {
  engine = createActionEngine(await loadTextEngine());
});

function judge({ rule }: WrittenRule, steps: TraceStep[], now: Date): RuleFinding | undefined {
  const source = { description: rule, severity: 'High' as const };
  return engine.evaluate(steps, [{ ruleId: 'rul_1', ...source, compiled: engine.compile(source) }], { now })
    .findings[0];
}

test('at least 85 % of 290 rules compile to a matcher that is right on their traces', () => {
  const wrong = written.filter((one) => {
    const { kind } = engine.compile({ description: one.rule, severity: 'High' });
    const caught = judge(one, one.bad, one.badAt)?.certainty === 'sure';
    return kind !== 'matcher' || !caught || judge(one, one.good, one.goodAt) !== undefined;
  });
  assert.equal(written.length, 290);
  assert.ok(
    wrong.length <= 0.15 * written.length,
    `${wrong.length} are wrong:\n${wrong.map(({ rule }) => rule).join('\n')}`,
  );
});

test('no rule blocks what its text allows', () => {
  const against = written.filter((one) => judge(one, one.good, one.goodAt)?.certainty === 'sure');
  assert.deepEqual(
    against.map(({ rule }) => rule),
    [],
  );
});
