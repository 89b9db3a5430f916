/**
 * Judges every agent step of labelled traces and prints how many attacks are stopped and how many benign tasks and
 * calls are flagged: `node tools/evaluate-actions.ts <folder or file>… [--rules file] [--no-outputs] [--misses n]`.
 * Traces are JSON lines (may be gzip): `session_history.trace`, `label`, `flag_steps`, and where known `suite`,
 * `wording`, `outcome`.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createActionEngine } from '#engine/actions/engine.ts';
import type { ActionRule, TraceStep } from '#engine/actions/types.ts';
import { loadTextEngine } from '#engine/text/engine.ts';

interface WireStep {
  role: 'user' | 'agent';
  content?: string;
  action?: string;
  step_id?: number;
  metadata?: {
    tool_name?: string;
    tool_params?: Record<string, unknown>;
    server_name?: string;
    server_id?: string;
    tool_output?: unknown;
  };
}

interface Row {
  id: string;
  session_history: { trace: WireStep[] };
  label: number;
  flag_steps?: number[];
  suite?: string;
  wording?: string;
  outcome?: string;
  source?: string;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: {
      type: 'string',
      default: join(import.meta.dirname, '../test/fixtures/action-rules/default.json'),
    },
    'no-outputs': { type: 'boolean', default: false },
    misses: { type: 'string', default: '0' },
    only: { type: 'string' },
  },
});

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function rowsOf(file: string): Row[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}

const toStep = ({ role, content, action, step_id, metadata }: WireStep): TraceStep => ({
  role,
  content,
  action,
  stepId: step_id,
  toolName: metadata?.tool_name,
  toolParams: metadata?.tool_params,
  serverName: metadata?.server_name,
  serverId: metadata?.server_id,
  toolOutput: flags['no-outputs'] ? undefined : metadata?.tool_output,
});

const engine = createActionEngine(await loadTextEngine());
const sources = JSON.parse(readFileSync(flags.rules, 'utf8')) as {
  description: string;
  severity: 'High' | 'Medium' | 'Low';
}[];
const rules: ActionRule[] = sources.map((source, at) => ({
  ruleId: `rul_${at}`,
  ...source,
  compiled: engine.compile(source),
}));

interface Judged {
  calls: number;
  flagged: { stepId: number; reason: string; rule: string }[];
  times: number[];
}

/** A call counts as flagged by a sure finding of a High or Medium rule: what the default blocking mode stops. */
function judge(row: Row): Judged {
  const steps = row.session_history.trace.map(toStep);
  const judged: Judged = { calls: 0, flagged: [], times: [] };
  steps.forEach((step, at) => {
    if (step.role !== 'agent' || step.toolName === undefined) return;
    judged.calls++;
    const began = performance.now();
    const verdict = engine.evaluate(steps.slice(0, at + 1), rules);
    judged.times.push(performance.now() - began);
    const hit = verdict.findings.find(
      ({ certainty, ruleId }) =>
        certainty === 'sure' && rules.find((rule) => rule.ruleId === ruleId)?.severity !== 'Low',
    );
    if (hit !== undefined)
      judged.flagged.push({
        stepId: step.stepId ?? at,
        reason: hit.reason,
        rule: rules.find(({ ruleId }) => ruleId === hit.ruleId)?.description ?? '',
      });
  });
  return judged;
}

interface Tally {
  traces: number;
  hit: number;
  calls: number;
  callsHit: number;
}

const table = new Map<string, Tally>();
const times: number[] = [];
let shown = Number(flags.misses);

function isWanted(row: Row, stopped: boolean): boolean {
  if (shown <= 0 || (row.label === 1) === stopped) return false;
  const name = [row.label, row.id, row.suite, row.wording, row.outcome].join(' ');
  return flags.only === undefined || name.includes(flags.only);
}

function lineOf({ step_id, role, content = '', metadata }: WireStep): string {
  const text =
    role === 'user'
      ? content
      : `${metadata?.tool_name ?? '-'} ${JSON.stringify(metadata?.tool_params ?? {})}`;
  return `   ${step_id ?? ''} ${text.slice(0, 300)}`;
}

function show(row: Row, judged: Judged, stopped: boolean): void {
  if (!isWanted(row, stopped)) return;
  shown--;
  console.log(row.label === 1 ? 'MISSED ' : 'FLAGGED ', row.id, row.wording ?? '', row.flag_steps ?? '');
  for (const step of row.session_history.trace) console.log(lineOf(step));
  for (const { stepId, reason, rule } of judged.flagged) console.log(`   → ${stepId} ${rule} ⇐ ${reason}`);
}

for (const file of positionals.flatMap(filesOf))
  for (const row of rowsOf(file)) {
    const judged = judge(row);
    if (judged.calls === 0) continue;
    const wanted = row.flag_steps ?? [];
    const attack = row.label === 1;
    if (attack && wanted.length === 0 && row.outcome !== undefined) continue;
    const right = judged.flagged.filter(
      ({ stepId }) => !attack || wanted.length === 0 || wanted.includes(stepId),
    );
    const stopped = right.length > 0;
    const name = `${row.source ?? file} · ${row.suite ?? '-'} · ${attack ? 'attack' : 'benign'} · ${row.wording ?? row.outcome ?? '-'}`;
    const tally = table.get(name) ?? { traces: 0, hit: 0, calls: 0, callsHit: 0 };
    tally.traces++;
    tally.hit += stopped ? 1 : 0;
    tally.calls += judged.calls;
    tally.callsHit += judged.flagged.length;
    table.set(name, tally);
    times.push(...judged.times);
    show(row, judged, stopped);
  }

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
for (const [name, { traces, hit, calls, callsHit }] of [...table].sort(([a], [b]) => a.localeCompare(b)))
  console.log(
    `${name.padEnd(76)} ${String(traces).padStart(5)} traces ${percent(hit, traces).padStart(8)}   ${String(calls).padStart(5)} calls ${percent(callsHit, calls).padStart(8)}`,
  );
times.sort((a, b) => a - b);
const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(3);
console.log(
  `evaluations ${times.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(0.99999)} ms, ${rules.length} rules`,
);
