/** Rules by authors who had not seen how rules are read: what their sentences and their forms come to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { type WrittenRule, readRuleFile } from '../../../../test/fixtures/action-rules/read-written.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import type { TraceStep } from '../../actions/types.ts';
import type { KnownUser } from '../matching/judged-call.ts';
import { judgeByForm } from '../matching/judge-by-form.ts';
import { type Draft, draftRule } from './draft.ts';

const folder = join(import.meta.dirname, '../../../../test/fixtures/action-rules');
const formsOf = (name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { form?: string }).form);

let reader: ContextReader;
before(async () => {
  reader = new ContextReader(await loadTextEngine());
});

function isRight(one: WrittenRule, { rule: form, compiled }: Draft): boolean {
  const judge = (steps: TraceStep[], now: Date, user: KnownUser | undefined) => {
    const context = reader.read(steps, { now, ownDomains: one.ownDomains });
    assert.ok(context);
    const rule = { ruleId: 'r', compiled, form, severity: 'High', description: one.rule } as const;
    return judgeByForm(context, rule, { user })?.certainty === 'sure';
  };
  return (
    one.breaks.every((steps) => judge(steps, one.breaksAt, one.breaksFor)) &&
    !one.keeps.some((steps) => judge(steps, one.keepsAt, one.keepsFor))
  );
}

for (const [name, said] of [
  ['by-a-second-hand.jsonl', 27],
  ['by-a-third-hand.jsonl', 60],
] as const) {
  test(`${name}: sentences that are read wrongly say that they may be`, (t) => {
    const read = readRuleFile(name).map((one) => {
      const draft = draftRule(one.rule);
      return { ...one, right: isRight(one, draft), says: draft.understood !== 'fully' };
    });
    const wrong = read.filter((one) => !one.right);
    const silent = wrong.filter(({ says }) => !says);
    t.diagnostic(
      `${read.length - wrong.length} of ${read.length} right; ${silent.length} of ${wrong.length} wrong ones are silent`,
    );
    assert.ok(silent.length <= 0.05 * wrong.length, silent.map(({ rule }) => rule).join('\n'));
  });

  test(`${name}: ${said} forms judge all traces of their rules rightly`, () => {
    const forms = formsOf(name);
    const tried = readRuleFile(name).flatMap((one, at) => {
      const form = forms[at];
      return form === undefined ? [] : [{ one, draft: draftRule(form) }];
    });
    const wrong = tried.filter(({ one, draft }) => draft.understood !== 'fully' || !isRight(one, draft));
    assert.deepEqual(
      wrong.map(({ one }) => one.rule),
      [],
    );
    assert.equal(tried.length, said);
  });
}
