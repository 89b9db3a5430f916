/** Rules by an author who had seen nothing of ours: what their sentences and their forms come to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { type WrittenRule, readRuleFile } from '../../../../test/fixtures/action-rules/read-written.ts';
import { SceneReader } from '../../actions/judging/scene.ts';
import type { TraceStep } from '../../actions/types.ts';
import { judgeByForm } from '../matching/judge-by-form.ts';
import { type Draft, draftRule } from './draft.ts';

const name = 'by-a-second-hand.jsonl';
const folder = join(import.meta.dirname, '../../../../test/fixtures/action-rules');
const rules = readRuleFile(name);
const forms = readFileSync(join(folder, name), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { form?: string }).form);

let reader: SceneReader;
before(async () => {
  reader = new SceneReader(await loadTextEngine());
});

function isRight(one: WrittenRule, { rule: form, compiled }: Draft): boolean {
  const judge = (steps: TraceStep[], now: Date) => {
    const scene = reader.read(steps, { now });
    assert.ok(scene);
    return judgeByForm(scene, { ruleId: 'r', compiled, form, severity: 'High', description: one.rule });
  };
  return (
    one.breaks.every((steps) => judge(steps, one.breaksAt)?.certainty === 'sure') &&
    one.keeps.every((steps) => judge(steps, one.keepsAt)?.certainty !== 'sure')
  );
}

test('sentences that are read wrongly say that they may be', (t) => {
  const read = rules.map((one) => {
    const draft = draftRule(one.rule);
    return { ...one, right: isRight(one, draft), says: draft.understood !== 'fully' };
  });
  const wrong = read.filter(({ right }) => !right);
  const silent = wrong.filter(({ says }) => !says);
  t.diagnostic(
    `${read.length - wrong.length} of ${read.length} right; ${silent.length} of ${wrong.length} wrong ones are silent`,
  );
  assert.ok(silent.length <= 0.05 * wrong.length, silent.map(({ rule }) => rule).join('\n'));
});

test('26 of the 30 rules that were looked at can be said as forms that judge all their traces rightly', () => {
  const said = rules.flatMap((one, at) => {
    const form = forms[at];
    return form === undefined ? [] : [{ one, draft: draftRule(form) }];
  });
  const wrong = said.filter(({ one, draft }) => draft.understood !== 'fully' || !isRight(one, draft));
  assert.deepEqual(
    wrong.map(({ one }) => one.rule),
    [],
  );
  assert.equal(said.length, 26);
});
