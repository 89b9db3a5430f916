import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleFinding, Severity } from '#engine/actions/types.ts';
import type { LiveRule } from '../sets/live-sets.ts';
import { type Blocking, blockingOf, decide } from './decide.ts';

const severities: Severity[] = ['High', 'Medium', 'Low', 'Low'];
const rules = severities.map((severity, i) => ({ ruleId: `rul_${i}`, severity }));
const set = {
  rules: rules as never,
  byRuleId: new Map(
    rules.map((rule) => [
      rule.ruleId,
      { rule: { ...rule, understood: 'fully' }, policy: { name: 'P' } } as unknown as LiveRule,
    ]),
  ),
};
const finding = (i: number, more: Partial<RuleFinding> = {}): RuleFinding => ({
  ruleId: `rul_${i}`,
  confidence: 0.9,
  certainty: 'sure',
  reason: 'It does.',
  threatCategory: 'policy_violation',
  wantsPerson: false,
  ...more,
});
const outcome = (findings: RuleFinding[], blocking: Partial<Blocking>) => {
  const decision = decide(findings, set, {
    mode: 'severity_level',
    level: 'Medium',
    threshold: 0,
    ...blocking,
  });
  const ids = (violations: typeof decision.violations) =>
    violations.map(({ rule }) => rule.ruleId.slice(4)).join('');
  return [decision.allowed, ids(decision.violations), ids(decision.warnings)];
};

test('the three modes', () => {
  const all = [finding(2), finding(1), finding(0)];
  assert.deepEqual(outcome(all, { mode: 'strict' }), [false, '012', '']);
  assert.deepEqual(outcome([finding(2)], { mode: 'strict' }), [false, '2', '']);
  assert.deepEqual(outcome(all, {}), [false, '01', '2']);
  assert.deepEqual(outcome(all, { level: 'High' }), [false, '0', '12']);
  assert.deepEqual(outcome(all, { level: 'Low' }), [false, '012', '']);
  assert.deepEqual(outcome([finding(2)], {}), [true, '', '2']);
  const share = (threshold: number) =>
    outcome([finding(0), finding(2)], { mode: 'rule_threshold', threshold });
  assert.deepEqual(share(0.5), [false, '02', '']);
  assert.deepEqual(share(0.51), [true, '', '02']);
  assert.deepEqual(share(0), [false, '02', '']);
  assert.deepEqual(outcome([], { mode: 'rule_threshold', threshold: 0 }), [true, '', '']);
});

test('what is merely likely warns in every mode, and adds nothing to the share', () => {
  const grey = finding(0, { certainty: 'grey' });
  for (const mode of ['strict', 'severity_level', 'rule_threshold'] as const)
    assert.deepEqual(outcome([grey], { mode }), [true, '', '0']);
  assert.deepEqual(outcome([grey, finding(1)], { mode: 'rule_threshold', threshold: 0.5 }), [true, '', '01']);
});

test('a rule counts once, by its strongest finding; unknown rules are passed over', () => {
  const twice = [
    finding(0, { certainty: 'grey', confidence: 1 }),
    finding(0),
    finding(0, { confidence: 0.5 }),
    finding(9),
  ];
  assert.deepEqual(outcome(twice, { mode: 'rule_threshold', threshold: 0.26 }), [true, '', '0']);
  assert.deepEqual(outcome(twice, { mode: 'strict' }), [false, '0', '']);
});

test('a rule that wants a person asks, and the gravest names the threat', () => {
  const decision = decide(
    [
      finding(2, { threatCategory: 'malicious_code' }),
      finding(0, { wantsPerson: true, threatCategory: 'privacy_violation' }),
    ],
    set,
    { mode: 'severity_level', level: 'Medium', threshold: 0 },
  );
  assert.deepEqual(
    [...decision.violations, ...decision.warnings].map(({ action }) => action),
    ['ask', 'allow'],
  );
  assert.equal(decision.threatCategory, 'privacy_violation');
  assert.deepEqual([decision.highestSeverity, decision.violatedShare], ['High', 0.5]);
});

test('the call goes before the set, the set before the defaults, field by field', () => {
  assert.deepEqual(blockingOf({}, {}), { mode: 'severity_level', level: 'Medium', threshold: 0 });
  assert.deepEqual(blockingOf({ blockingMode: 'strict', blockingLevel: 'Low' }, { blockingLevel: 'High' }), {
    mode: 'strict',
    level: 'High',
    threshold: 0,
  });
});
