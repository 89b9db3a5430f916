/**
 * Measures how well rules are read from their sentences alone: `node bench/rule-reading.ts [file prefix …] [--show]`.
 *
 * A rule is right where both traces that break it are found and neither innocent one is even mentioned. Printed for each
 * file of `test/fixtures/action-rules`: rules that are right, wrong ones that say that they may be wrong, right ones that
 * say so, violations found, innocent traces flagged. `by-another-hand` is printed in two halves by a hash of the
 * sentence: the reader is made with the first (A), and the second (B) only measured. `--show` lists the wrong rules of
 * all files but half B.
 */
import { createHash } from 'node:crypto';
import { SceneReader } from '#engine/actions/judging/scene.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { draftRule, type Draft } from '#engine/rules/reading/draft.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { readRuleFile, ruleFiles, type WrittenRule } from '../test/fixtures/action-rules/read-written.ts';

const show = process.argv.includes('--show');
const prefixes = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const reader = new SceneReader(await loadTextEngine());

/** A or B, the same for a sentence for ever. */
const halfOf = (rule: string) =>
  (createHash('sha256').update(rule).digest()[0] ?? 0) % 2 === 0 ? 'A' : 'B';

function judge(one: WrittenRule, draft: Draft, steps: TraceStep[], now: Date) {
  const scene = reader.read(steps, { now, ownDomains: one.ownDomains });
  if (scene === undefined) throw new Error(`no call in a trace of: ${one.rule}`);
  const { rule: form, compiled } = draft;
  return judgeByForm(scene, { ruleId: 'r', compiled, form, severity: 'High', description: one.rule });
}

interface Measured {
  readonly rule: WrittenRule;
  readonly draft: Draft;
  readonly found: readonly boolean[];
  readonly flagged: readonly boolean[];
  readonly right: boolean;
  readonly says: boolean;
}

function measure(rule: WrittenRule): Measured {
  const draft = draftRule(rule.rule);
  const found = rule.breaks.map((steps) => judge(rule, draft, steps, rule.breaksAt)?.certainty === 'sure');
  const flagged = rule.keeps.map((steps) => judge(rule, draft, steps, rule.keepsAt) !== undefined);
  const right = found.every(Boolean) && !flagged.some(Boolean);
  return { rule, draft, found, flagged, right, says: draft.understood !== 'fully' };
}

function print(name: string, all: readonly Measured[]): void {
  const right = all.filter((one) => one.right);
  const wrong = all.filter((one) => !one.right);
  const says = (list: readonly Measured[]) => `${list.filter((one) => one.says).length} of ${list.length}`;
  const hits = (lists: readonly (readonly boolean[])[]) =>
    `${lists.flat().filter(Boolean).length} of ${lists.flat().length}`;
  console.log(
    `${name.padEnd(28)} right ${right.length} of ${all.length} (${((100 * right.length) / all.length).toFixed(0)} %); wrong ones that say so ${says(wrong)}, right ones ${says(right)}; found ${hits(all.map(({ found }) => found))}, flagged ${hits(all.map(({ flagged }) => flagged))}`,
  );
}

function list(all: readonly Measured[]): void {
  for (const { rule, draft, found, flagged, right, says } of all) {
    if (right) continue;
    console.log(
      `\n- ${rule.rule}\n  ${says ? '' : 'SILENT '}breaks ${found.map((one) => (one ? '+' : 'MISSED')).join(' ')} keeps ${flagged.map((one) => (one ? 'FLAGGED' : '+')).join(' ')}\n  ${draft.canonical ?? '(not understood)'}\n  unread ${draft.unread.join(', ')} | ${draft.doubts.join(' ')}`,
    );
  }
}

const files = (prefixes.length === 0 ? ['written', 'people', 'unseen', 'by-another-hand'] : prefixes).flatMap(
  ruleFiles,
);
const sums: Measured[] = [];
for (const file of files) {
  const rules = readRuleFile(file);
  const name = file.replace('.jsonl', '');
  const halves = name === 'by-another-hand' ? (['A', 'B'] as const) : ([undefined] as const);
  for (const half of halves) {
    const all = rules
      .filter(({ rule }) => half === undefined || halfOf(rule) === half)
      .map((rule) => measure(rule));
    print(half === undefined ? name : `${name} ${half}`, all);
    if (show && half !== 'B') list(all);
    if (half === undefined) sums.push(...all);
  }
}
if (sums.length > 0) print('all others', sums);
