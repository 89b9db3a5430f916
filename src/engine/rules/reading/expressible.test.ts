/**
 * Whether what owners want can be said as a form at all. For each known rule there is a form: the one that its sentence
 * is read as where that is right, else the canonical sentence of `forms.jsonl`. It also stands for a model that fills in
 * the form without a mistake: what it fills in goes the same way.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import {
  type WrittenRule,
  readRuleFile,
  ruleFiles,
} from '../../../../test/fixtures/action-rules/read-written.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import type { TraceStep } from '../../actions/types.ts';
import { readCanonical } from '../canonical.ts';
import { withApprovalsTold } from '../fixtures/approvals-told.ts';
import { judgeByForm } from '../matching/judge-by-form.ts';
import { draftRule, type Draft } from './draft.ts';
import { filledDraft } from './filled-form.ts';

const file = join(import.meta.dirname, '../../../../test/fixtures/action-rules/forms.jsonl');
const written = new Map(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { rule: string; form: string })
    .map(({ rule, form }) => [rule, form]),
);

let reader: ContextReader;
before(async () => {
  reader = new ContextReader(await loadTextEngine());
});

/** As a model would fill it in: plain JSON. */
function draftOf(sentence: string): Draft {
  const said = written.get(sentence);
  if (said === undefined) return draftRule(sentence);
  const form = readCanonical(said);
  assert.ok(form, `not canonical: ${said}`);
  const filled = filledDraft(sentence, JSON.parse(JSON.stringify(form)));
  assert.ok('draft' in filled, 'problem' in filled ? `${filled.problem}\n${said}` : '');
  return filled.draft;
}

function isRight(one: WrittenRule): boolean {
  const { rule, compiled } = draftOf(one.rule);
  const form = rule && withApprovalsTold(rule);
  const judge = (steps: TraceStep[], now: Date) => {
    const context = reader.read(steps, { now, ownDomains: one.ownDomains });
    assert.ok(context);
    return judgeByForm(context, { ruleId: 'r', compiled, form, severity: 'High', description: one.rule });
  };
  return (
    one.breaks.every((steps) => judge(steps, one.breaksAt)?.certainty === 'sure') &&
    one.keeps.every((steps) => judge(steps, one.keepsAt) === undefined)
  );
}

test('of all known rules 97 in 100 can be said as a form that judges all their traces rightly', (t) => {
  const files = ['written', 'people', 'unseen'].flatMap(ruleFiles);
  const results = files.map((name) => {
    const rules = readRuleFile(name);
    const wrong = rules.filter((one) => !isRight(one));
    t.diagnostic(`${name}: ${rules.length - wrong.length} of ${rules.length}`);
    return { rules: rules.length, wrong };
  });
  const wrong = results.flatMap((one) => one.wrong);
  const all = results.reduce((sum, one) => sum + one.rules, 0);
  assert.ok(wrong.length <= 0.03 * all, wrong.map(({ rule }) => rule).join('\n'));
});

test('each form that somebody wrote is for a rule that is there', () => {
  const known = new Set(
    ['written', 'people', 'unseen']
      .flatMap(ruleFiles)
      .flatMap(readRuleFile)
      .map(({ rule }) => rule),
  );
  assert.deepEqual(
    [...written.keys()].filter((rule) => !known.has(rule)),
    [],
  );
});
