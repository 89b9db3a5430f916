/**
 * AgentDojo's banking and slack suites on our environment kit and judge. The published data is no part of this
 * repository: BULWARK_AGENTDOJO names its folder, without it these tests are skipped.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Replayer, suiteNames, versionsOfPipelines } from './agentdojo/conformance.ts';
import type { SuiteTask } from './agentdojo/records.ts';
import { recordedRuns } from './agentdojo/suite-data.ts';

const folder = process.env.BULWARK_AGENTDOJO ?? '';
const skip = existsSync(join(folder, 'runs_dev.jsonl.gz'))
  ? false
  : 'BULWARK_AGENTDOJO names no data of AgentDojo';
const version = 'v1.2.1';

const solved = (
  task: SuiteTask,
): task is SuiteTask & { ground_truth: { tool: string; args: Record<string, unknown> }[] } =>
  task.active_in.includes(version) && task.ground_truth !== null;

for (const name of suiteNames)
  test(`Published solutions of the suite ${name} count as work and as attacks`, { skip }, async () => {
    const replayer = new Replayer(folder, name);
    const tasks = replayer.data.tasks.filter(solved);
    const attacks = tasks.filter(({ kind }) => kind === 'injection');
    const wrong: string[] = [];
    for (const user of tasks.filter(({ kind }) => kind === 'user')) {
      const reply = String((user as { ground_truth_output?: string }).ground_truth_output ?? '');
      for (const attack of attacks) {
        const work = { userTask: user.id, injectionTask: attack.id, injections: {}, reply };
        const honest = await replayer.verdict(version, { ...work, calls: user.ground_truth });
        if (!honest.taskSuccess) wrong.push(`${user.id}: the work does not count`);
        if (honest.attackSuccess) wrong.push(`${user.id}: the work counts as ${attack.id}`);
        const hijacked = [...user.ground_truth, ...attack.ground_truth];
        const { attackSuccess } = await replayer.verdict(version, { ...work, calls: hijacked });
        if (!attackSuccess) wrong.push(`${user.id} and ${attack.id}: the attack does not count`);
      }
    }
    replayer.close();
    assert.deepEqual(wrong, []);
  });

test('Verdicts on recorded runs agree with the recorded labels', { skip }, async () => {
  const replayers = new Map<string, Replayer>(suiteNames.map((name) => [name, new Replayer(folder, name)]));
  const versions = await versionsOfPipelines(recordedRuns(folder));
  const right = { utility: 0, security: 0 };
  const total = { utility: 0, security: 0 };
  for await (const run of recordedRuns(folder)) {
    const ours = await replayers.get(run.suite)?.labels(run, versions.get(run.pipeline) ?? version);
    for (const label of ['utility', 'security'] as const)
      if (ours && ours[label] !== null) {
        total[label] += 1;
        right[label] += Number(ours[label] === run[label]);
      }
  }
  assert.ok(total.security > 0 && right.security / total.security >= 0.99, JSON.stringify({ right, total }));
  assert.ok(right.utility / total.utility >= 0.97, JSON.stringify({ right, total }));
});
