import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import {
  type WrittenRule,
  readRuleFile,
  ruleFiles,
} from '../../../../test/fixtures/action-rules/read-written.ts';
import { judgeRule } from '../../actions/judging/judge-rule.ts';
import { SceneReader } from '../../actions/judging/scene.ts';
import { compileRule } from '../../actions/rules/compile.ts';
import type { CompiledRule, TraceStep } from '../../actions/types.ts';
import { canonicalText, readCanonical } from '../canonical.ts';
import { breaksForm } from '../matching/match-form.ts';
import type { RuleForm } from '../rule-form.ts';
import { liftClauses } from './lift-clauses.ts';

let reader: SceneReader;
const rules = [...ruleFiles('written'), ...ruleFiles('people')].flatMap(readRuleFile);

before(async () => {
  reader = new SceneReader(await loadTextEngine());
});

const compiled = ({ rule }: WrittenRule) => compileRule({ description: rule, severity: 'High' }, 'test');

function liftedFrom({ clauses }: CompiledRule): RuleForm {
  const lifted = liftClauses(clauses);
  assert.ok('form' in lifted, 'problem' in lifted ? lifted.problem : '');
  return lifted.form;
}

/** How sure each is that the trace breaks the rule; by its form, and by the clauses that it was lifted from. */
function verdicts(one: WrittenRule, rule: CompiledRule, steps: TraceStep[], now: Date) {
  const scene = reader.read(steps, { now, ownDomains: one.ownDomains });
  assert.ok(scene);
  const source = { ruleId: 'rul_1', compiled: rule, severity: 'High' as const, description: one.rule };
  return {
    byClauses: judgeRule(scene, source) !== undefined,
    byForm: breaksForm({ scene }, liftedFrom(rule)) !== undefined,
  };
}

test('of 700 sentences those that the grammar reads become forms with the same verdicts on all traces', () => {
  let traces = 0;
  for (const one of rules) {
    const rule = compiled(one);
    // A clause that the grammar hardly believes gives no verdict; that doubt is no part of a form.
    if (rule.clauses.length === 0 || rule.clauses.some(({ confidence }) => confidence < 0.5)) continue;
    for (const [all, now] of [
      [one.breaks, one.breaksAt],
      [one.keeps, one.keepsAt],
    ] as const)
      for (const steps of all) {
        const { byClauses, byForm } = verdicts(one, rule, steps, now);
        assert.equal(byForm, byClauses, `${one.rule}\n${canonicalText(liftedFrom(rule))}`);
        traces += 1;
      }
  }
  assert.ok(traces > 2000, `${traces} traces`);
});

test('their forms print as sentences that read back to the same form', () => {
  for (const one of rules) {
    const rule = compiled(one);
    if (rule.clauses.length === 0) continue;
    const form = liftedFrom(rule);
    assert.deepEqual(readCanonical(canonicalText(form)), form, canonicalText(form));
  }
});
