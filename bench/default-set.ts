/**
 * Measures what the default set does to recorded sessions: `node bench/default-set.ts [words of a suite's
 * name, default all] [folder of labelled traces]`.
 *
 * Each step of an agent is judged as it would have been at its time. For each suite it prints how many harmless tasks and
 * calls are flagged and how many attacks are stopped (by wording, where the suite has some), then the rules that flag
 * harmless calls. With a folder, its `*.jsonl.gz` are read too: a session per line with `session_history`, `label` (1: the
 * trace has an unsafe action) and `flag_steps`. `LIST=1` prints the harmless calls that are flagged.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createActionEngine } from '#engine/actions/engine.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { defaultRules } from '#engine/rules/fixtures/default-rules.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { fifthSuites, fifthSuitesLater } from '../test/fixtures/action-traces/fifth-suites.ts';
import { fourthHarmless, fourthSuites } from '../test/fixtures/action-traces/fourth-suites.ts';
import { officeTasks } from '../test/fixtures/action-traces/office-tasks.ts';
import { otherSuites } from '../test/fixtures/action-traces/other-suites.ts';
import { readSessions } from '../test/fixtures/action-traces/read-sessions.ts';
import { harmlessOrders, thirdSuites } from '../test/fixtures/action-traces/third-suites.ts';
import { tracesOf } from '../test/fixtures/action-traces/trace-suite.ts';
import { firstSuites } from '../test/fixtures/action-traces/traces.ts';

interface Session {
  readonly id: string;
  readonly steps: readonly TraceStep[];
  /** Undefined where the session is harmless; else where the attack begins. */
  readonly attackFrom?: number | undefined;
  readonly wording?: string | undefined;
}

interface Line {
  readonly id?: string;
  readonly label: 0 | 1;
  readonly flag_steps?: readonly number[];
  readonly wording?: string;
  readonly session_history: {
    readonly trace: readonly {
      readonly role: string;
      readonly content?: string;
      readonly action?: string;
      readonly step_id: number;
      readonly metadata?: {
        readonly tool_name?: string;
        readonly tool_params?: Record<string, unknown>;
        readonly tool_output?: unknown;
        readonly server_name?: string;
      };
    }[];
  };
}

function labelled(file: string): Session[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { id = '', label, flag_steps = [], wording, session_history } = JSON.parse(line) as Line;
    const { trace } = session_history;
    const from = trace.findIndex(({ step_id: step }) => flag_steps.includes(step));
    return {
      id,
      wording,
      attackFrom: label === 1 ? Math.max(0, from) : undefined,
      steps: trace.map(({ role, content, action, metadata }) => ({
        role: role === 'user' ? 'user' : 'agent',
        ...(role === 'user' ? { content } : { action }),
        toolName: metadata?.tool_name,
        toolParams: metadata?.tool_params,
        toolOutput: metadata?.tool_output,
        serverName: metadata?.server_name,
      })),
    };
  });
}

const numbered = (traces: readonly { steps: TraceStep[] }[]): Session[] =>
  traces.map(({ steps }, at) => ({ id: String(at), steps }));

function ownSuite({ attacks, benign, resisted }: ReturnType<typeof tracesOf>): Session[] {
  return [
    ...numbered(benign),
    ...numbered(resisted),
    ...attacks.map(({ steps, from, wording }, at) => ({ id: `a${at}`, steps, attackFrom: from, wording })),
  ];
}

const suites: [name: string, sessions: readonly Session[]][] = [
  ['office tasks', numbered(officeTasks.map((steps) => ({ steps: [...steps] })))],
  ['first suites', ownSuite(tracesOf(firstSuites))],
  ['other suites', ownSuite(tracesOf(otherSuites))],
  ['third suites', [...ownSuite(tracesOf(thirdSuites)), ...numbered(tracesOf(harmlessOrders).benign)]],
  ['fourth suites', [...ownSuite(tracesOf(fourthSuites)), ...numbered(tracesOf(fourthHarmless).benign)]],
  ['fifth suites', ownSuite(fifthSuites())],
  ['fifth suites, later', ownSuite(fifthSuitesLater())],
  ...readSessions().map(({ name, sessions }): [string, readonly Session[]] => [name, sessions]),
];
const [words = 'all', folder] = process.argv.slice(2);
if (folder !== undefined)
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl.gz')))
    suites.push([name.replace('.jsonl.gz', ''), labelled(join(folder, name))]);

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const rules = defaultRules();
const severe = new Set(rules.filter(({ severity }) => severity !== 'Low').map(({ ruleId }) => ruleId));

const blocks = (steps: readonly TraceStep[]) =>
  engine
    .evaluate([...steps], rules)
    .findings.filter(({ certainty, ruleId }) => certainty === 'sure' && severe.has(ruleId));

const percent = (count: number, of: number) =>
  of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} % (${count} of ${of})`;

const byRule = new Map<string, number>();
for (const [name, sessions] of suites.filter(([one]) => words === 'all' || one.includes(words))) {
  let [tasks, flaggedTasks, calls, flaggedCalls] = [0, 0, 0, 0];
  const stopped = new Map<string, boolean[]>();
  for (const { id, steps, attackFrom, wording = '' } of sessions) {
    const agents = steps.flatMap(({ role }, at) => (role === 'agent' ? [at] : []));
    if (attackFrom !== undefined) {
      const isStopped = agents.some((at) => at >= attackFrom && blocks(steps.slice(0, at + 1)).length > 0);
      stopped.set(wording, [...(stopped.get(wording) ?? []), isStopped]);
      continue;
    }
    tasks += 1;
    let isFlagged = false;
    for (const at of agents) {
      const step = steps[at];
      if (step?.toolName !== undefined) calls += 1;
      const found = blocks(steps.slice(0, at + 1));
      if (found.length === 0) continue;
      isFlagged = true;
      if (step?.toolName !== undefined) flaggedCalls += 1;
      for (const { ruleId } of found) byRule.set(ruleId, (byRule.get(ruleId) ?? 0) + 1);
      if (process.env['LIST'] !== undefined)
        console.log(
          `  ${name} ${id} ${step?.toolName ?? 'reply'} ${JSON.stringify(step?.toolParams ?? step?.action).slice(0, 300)}\n` +
            `    ${found.map(({ ruleId }) => ruleId).join(' ')}\n` +
            [...new Set(found.map(({ reason }) => reason))].map((reason) => `    ${reason}`).join('\n'),
        );
    }
    if (isFlagged) flaggedTasks += 1;
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
