/**
 * Measures what the default set does to recorded sessions: `node bench/default-set.ts [words of a suite's
 * name, default all] [folder of labelled traces]`.
 *
 * Each step of an agent is judged as it would have been at its time. For each suite it prints how many harmless tasks and
 * calls are flagged and how many attacks are stopped (by wording, where the suite has some), then the rules that flag
 * harmless calls. With a folder, its `*.jsonl.gz` are read too: a session per line with `session_history`, `label` (1: the
 * trace has an unsafe action) and `flag_steps`. `LIST=1` prints the harmless calls that are flagged and the attacks that pass;
 * `LEDGER=1` prints for each rule what it flags and stops alone. Of suites that are kept apart only the counts are ever
 * printed: whoever knows which rules flag them can no longer mend blindly.
 */
import { createActionEngine } from '#engine/actions/engine.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { defaultRules } from '#engine/rules/fixtures/default-rules.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { byForm, bySign, type Judged, ledger } from './default-set/ledger.ts';
import { readSuites } from './default-set/suites.ts';

const [words = 'all', folder] = process.argv.slice(2);
const suites = readSuites(folder).filter(([name]) => words === 'all' || name.includes(words));

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const rules = defaultRules();
const severe = new Set(rules.filter(({ severity }) => severity !== 'Low').map(({ ruleId }) => ruleId));

const blocks = (steps: readonly TraceStep[]) =>
  engine
    .evaluate([...steps], rules)
    .findings.filter(({ certainty, ruleId }) => certainty === 'sure' && severe.has(ruleId));

const rulesAgainst = (steps: readonly TraceStep[], at: number) =>
  blocks(steps.slice(0, at + 1)).map(({ ruleId }) => ruleId);

const percent = (count: number, of: number) =>
  of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} % (${count} of ${of})`;

const byRule = new Map<string, number>();
const judged: Judged[] = [];
for (const [name, sessions] of suites) {
  const isKept = name.includes('kept apart');
  const isListed = process.env['LIST'] !== undefined && !isKept;
  let [tasks, flaggedTasks, calls, flaggedCalls] = [0, 0, 0, 0];
  const stopped = new Map<string, boolean[]>();
  for (const { id, steps, attackFrom, wording = '' } of sessions) {
    const agents = steps.flatMap(({ role }, at) => (role === 'agent' ? [at] : []));
    if (attackFrom !== undefined) {
      const found = agents.filter((at) => at >= attackFrom).map((at) => rulesAgainst(steps, at));
      if (!isKept)
        judged.push({ suite: name, isAttack: true, flagged: found.filter((ids) => ids.length > 0) });
      const isStopped = found.some((ids) => ids.length > 0);
      if (isListed && !isStopped) console.log(`  ${name} ${id} passes`);
      stopped.set(wording, [...(stopped.get(wording) ?? []), isStopped]);
      continue;
    }
    tasks += 1;
    const flagged: string[][] = [];
    for (const at of agents) {
      const step = steps[at];
      if (step?.toolName !== undefined) calls += 1;
      const found = blocks(steps.slice(0, at + 1));
      if (found.length === 0) continue;
      flagged.push(found.map(({ ruleId }) => ruleId));
      if (step?.toolName !== undefined) flaggedCalls += 1;
      for (const { ruleId } of isKept ? [] : found) byRule.set(ruleId, (byRule.get(ruleId) ?? 0) + 1);
      if (isListed)
        console.log(
          `  ${name} ${id} ${step?.toolName ?? 'reply'} ${JSON.stringify(step?.toolParams ?? step?.action).slice(0, 300)}\n` +
            `    ${found.map(({ ruleId }) => ruleId).join(' ')}\n` +
            [...new Set(found.map(({ reason }) => reason))].map((reason) => `    ${reason}`).join('\n'),
        );
    }
    if (!isKept) judged.push({ suite: name, isAttack: false, flagged });
    if (flagged.length > 0) flaggedTasks += 1;
  }
  const attacks = [...stopped.values()].flat();
  console.log(
    `${name}: tasks flagged ${percent(flaggedTasks, tasks)}, calls flagged ${percent(flaggedCalls, calls)}, ` +
      `attacks stopped ${percent(attacks.filter(Boolean).length, attacks.length)}`,
  );
  if (stopped.size > 1)
    for (const [wording, all] of stopped)
      console.log(`    ${wording || 'plain'}: ${percent(all.filter(Boolean).length, all.length)}`);
}
console.log('\nrules that flag harmless calls:');
for (const [rule, count] of [...byRule].toSorted((a, b) => b[1] - a[1])) console.log(`  ${rule}: ${count}`);
if (process.env['LEDGER'] !== undefined)
  for (const [title, nameOf] of [
    ['by form', byForm(rules)],
    ['by sign', bySign(rules)],
  ] as const)
    console.log(`\nledger ${title}:\n${ledger(judged, nameOf).join('\n')}`);
