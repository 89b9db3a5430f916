import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import {
  type WrittenRule,
  readRuleFile,
  ruleFiles,
} from '../../../../test/fixtures/action-rules/read-written.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import type { RuleFinding, TraceStep } from '../../actions/types.ts';
import { judgeByForm } from '../matching/judge-by-form.ts';
import { draftRule, type Draft } from './draft.ts';

let reader: ContextReader;
before(async () => {
  reader = new ContextReader(await loadTextEngine());
});

function judge(
  one: WrittenRule,
  { rule: form, compiled }: Draft,
  steps: TraceStep[],
  now: Date,
): RuleFinding | undefined {
  const context = reader.read(steps, { now, ownDomains: one.ownDomains });
  assert.ok(context);
  return judgeByForm(context, { ruleId: 'r', compiled, form, severity: 'High', description: one.rule });
}

const isRight = (one: WrittenRule, draft: Draft): boolean =>
  one.breaks.every((steps) => judge(one, draft, steps, one.breaksAt)?.certainty === 'sure') &&
  one.keeps.every((steps) => judge(one, draft, steps, one.keepsAt) === undefined);

test('of rules that nothing was made with, those that go wrong say so', (t) => {
  for (const name of ruleFiles('unseen')) {
    const read = readRuleFile(name).map((one) => {
      const draft = draftRule(one.rule);
      return { rule: one.rule, right: isRight(one, draft), says: draft.understood !== 'fully' };
    });
    const wrong = read.filter(({ right }) => !right);
    const right = read.filter((one) => one.right);
    const silent = wrong.filter(({ says }) => !says);
    t.diagnostic(
      `${name}: ${right.length} of ${read.length} right, of which ${right.filter(({ says }) => says).length} say that they may be wrong; ${silent.length} of ${wrong.length} wrong ones are silent`,
    );
    assert.ok(silent.length <= 0.05 * wrong.length, silent.map(({ rule }) => rule).join('\n'));
  }
});
