/**
 * Measures the time to judge one action in process: `node bench/action-engine.ts [traces, default 300]`.
 *
 * Uses 100 rules of the built-in templates and traces of 50 steps with a tool output of 2,000 characters each.
 * `first` judges the last step of a trace whose texts are all new; `session` judges every step of a trace in turn, as
 * a running agent does. Goals per evaluation: first p50 1.5 ms, p99 6 ms; session p99 1 ms. JSON.parse of the same trace, which every request
 * needs anyway, is measured in the same run: the ratio of the two does not depend on the machine. `300 rules` judges
 * the last steps of such traces against 300 rules, in turns with the 100; goal: 1.5 times their time.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createActionEngine } from '#engine/actions/engine.ts';
import type { ActionRule, RuleSource, TraceStep } from '#engine/actions/types.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { draftRule } from '#engine/rules/reading/draft.ts';
import { loadTextEngine } from '#engine/text/engine.ts';

const traces = Number(process.argv[2] ?? 300);
const [ruleCount, manyCount, stepCount] = [100, 300, 50];

interface Preset extends RuleSource {
  readonly canonical?: string;
}

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const folder = join(import.meta.dirname, '../data/templates/actions');
const templates = readdirSync(folder).flatMap((name) =>
  Object.values((parse(readFileSync(join(folder, name), 'utf8')) as { rules: Record<string, Preset> }).rules),
);
/** There are fewer templates than the larger set needs: sentences that people wrote for their own agents make it up. */
const written = ['1', '2', '3', '4'].flatMap((part) =>
  readFileSync(join(import.meta.dirname, `../test/fixtures/action-rules/people-${part}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Preset => ({ description: (JSON.parse(line) as { rule: string }).rule, severity: 'High' })),
);
const manyRules = [...templates, ...written].slice(0, manyCount).map((source, at): ActionRule => {
  const { rule: form, compiled } = draftRule(source.canonical ?? source.description);
  return { ruleId: `rul_${at}`, ...source, form, compiled };
});
const rules = manyRules.slice(0, ruleCount);

let seed = 1;
/** Mulberry32: its period is long enough that no text is generated twice. */
const random = (below: number) => {
  seed = (seed + 0x6d_2b_79_f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
};
const phrases = [
  'The meeting with Lena moved to Thursday at ten.',
  'Please find the invoice attached and pay it before the end of the month.',
  'Ticket 4411 was closed by the support team.',
  'Send the slides to everybody who was there.',
  'See https://wiki.example.com/page for details.',
  'Our opening hours are nine to five.',
  'You can reach us at help@example.com.',
];
const textOf = (length: number) => {
  let text = '';
  while (text.length < length) text += `${phrases[random(phrases.length)]} (${random(1_000_000)}) `;
  return text;
};
const tools = ['read_file', 'search_emails', 'get_page', 'list_events', 'get_ticket'];
/**
 * As JSON, which is what services get. Steps that a literal of this loop made would not do: V8 learns that they outlive small
 * garbage collections and makes them among the old objects, with all texts of all traces behind them.
 */
function makeTrace(): string {
  const steps: TraceStep[] = [{ role: 'user', content: 'Go through my mail and prepare the weekly report.' }];
  while (steps.length < stepCount - 1)
    steps.push({
      role: 'agent',
      toolName: tools[random(tools.length)],
      toolParams: { id: random(1000), query: `week ${random(53)}` },
      toolOutput: textOf(2000),
    });
  steps.push({
    role: 'agent',
    toolName: 'send_email',
    toolParams: { to: 'boss@example.com', subject: 'Report', body: textOf(400) },
  });
  return JSON.stringify(steps);
}

const read = (json: string) => JSON.parse(json) as TraceStep[];

function told(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3);
  console.log(
    `${name.padEnd(12)} ${String(times.length).padStart(6)}   p10 ${at(0.1)} ms   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${(sorted.at(-1) ?? 0).toFixed(3)} ms`,
  );
}

const timed = (times: number[], run: () => unknown): void => {
  const startedAt = performance.now();
  run();
  times.push(performance.now() - startedAt);
};

const [first, many, session, parsing]: number[][] = [[], [], [], []];
for (let at = 0; at < traces + 30; at++) {
  const json = makeTrace();
  const [fresh, growing] = [read(json), read(makeTrace())];
  if (at === 30) for (const times of [first, many, session, parsing]) times?.splice(0);
  timed(parsing ?? [], () => JSON.parse(json));
  timed(first ?? [], () => engine.evaluate(fresh, rules));
  const others = read(makeTrace());
  timed(many ?? [], () => engine.evaluate(others, manyRules));
  for (let step = 2; step <= growing.length; step++)
    timed(session ?? [], () => engine.evaluate(growing.slice(0, step), rules));
}
console.log(`${rules.length} rules, ${stepCount} steps, after a warm-up of 30 traces`);
told('first', first ?? []);
told(`${manyRules.length} rules`, many ?? []);
told('session', session ?? []);
told('JSON.parse', parsing ?? []);
const part = (times: number[] = [], share = 0.1) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
const ratio = (times: number[] = []) => (part(times) / part(parsing)).toFixed(2);
console.log(
  'a machine that is busy otherwise raises all of it: the ratios of the fastest tenths are what to compare',
);
console.log(`first / JSON.parse ${ratio(first)}   session / JSON.parse ${ratio(session)}`);
console.log(
  `${manyRules.length} rules / ${rules.length} rules ${(part(many, 0.5) / part(first, 0.5)).toFixed(2)}, goal 1.5`,
);
const goals = [
  ['first p50', part(first, 0.5), 1.5],
  ['first p99', part(first, 0.99), 6],
  ['session p99', part(session, 0.99), 1],
] as const;
for (const [name, ms, goal] of goals)
  console.log(`${name} ${ms.toFixed(2)} ms, goal ${goal}: ${ms <= goal ? 'met' : 'missed'}`);
