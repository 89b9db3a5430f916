/**
 * Replays recorded runs of AgentDojo on the environment kit and compares the verdicts:
 * `node test/conformance/agentdojo.ts DATA_FOLDER [pipelines, separated by commas] [--disagreements]`.
 *
 * The folder holds the published files of the banking and slack suites (`suites/`, `tasks.jsonl`, `runs_dev.jsonl.gz`);
 * they are no part of this repository. Goals: 99 % of the security labels, 97 % of the utility labels.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { Replayer, type SuiteName, suiteNames, versionsOfPipelines } from './agentdojo/conformance.ts';
import { recordedRuns } from './agentdojo/suite-data.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { disagreements: { type: 'boolean', default: false } },
});
const print = (line: string) => process.stdout.write(`${line}\n`);

const [folder = '', pipelines] = positionals;
if (!existsSync(join(folder, 'runs_dev.jsonl.gz'))) {
  print(`skipped: there are no recorded runs of AgentDojo in "${folder}".`);
  process.exit(0);
}
const wanted = pipelines?.split(',');

const replayers = new Map<string, Replayer>(suiteNames.map((name) => [name, new Replayer(folder, name)]));
const counts = new Map<string, { right: number; total: number }>();
const wrong = new Map<string, string[]>();

function count(suite: string, label: 'security' | 'utility', right: boolean): void {
  for (const key of [`${suite} ${label}`, `both ${label}`]) {
    const at = counts.get(key) ?? { right: 0, total: 0 };
    counts.set(key, { right: at.right + Number(right), total: at.total + 1 });
  }
}

const versions = await versionsOfPipelines(recordedRuns(folder));
for await (const run of recordedRuns(folder)) {
  const replayer = replayers.get(run.suite as SuiteName);
  if (!replayer || (wanted && !wanted.includes(run.pipeline))) continue;
  const ours = await replayer.labels(run, versions.get(run.pipeline) ?? 'v1.2.1');
  for (const label of ['security', 'utility'] as const) {
    if (ours[label] === null) continue;
    const right = ours[label] === run[label];
    count(run.suite, label, right);
    if (right) continue;
    const task = label === 'utility' ? run.user_task : (run.injection_task ?? '');
    const key = `${run.suite} ${label} ${task} recorded ${run[label]}`;
    const who = `${run.pipeline} ${run.user_task} ${run.injection_task ?? '-'} ${run.attack ?? '-'}`;
    wrong.set(key, [...(wrong.get(key) ?? []), who]);
  }
}
for (const [key, { right, total }] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
  const { low, high } = wilsonInterval(right, total);
  const percent = (value: number) => (value * 100).toFixed(2);
  print(`${key}: ${right} of ${total}, ${percent(right / total)} % (${percent(low)}–${percent(high)})`);
}
print('\nDisagreements:');
for (const [key, runs] of [...wrong].sort(([, a], [, b]) => b.length - a.length)) {
  print(`${key}: ${runs.length}`);
  if (values.disagreements) for (const run of runs) print(`  ${run}`);
}
