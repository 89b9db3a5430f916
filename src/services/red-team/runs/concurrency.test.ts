import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { openTestService } from '../fixtures/service.ts';
import { agentPaths, startScriptedAgent } from '../scripted-agent/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-pool-'));
const poolFile = join(folder, 'pool.yaml');
await writeFile(poolFile, 'mail: 100\npayments: {count: 4}\n');
const tasks = shippedTasks();
const service = await openTestService({ BULWARK_RED_TEAM_POOL_FILE: poolFile });
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const { call, tokens, evaluate } = service;
const as = tokens.admin;

interface Listed {
  readonly result_id: string;
  readonly task_id: string;
}

test('a hundred sessions at a time have their own calls, and those alone', async () => {
  await using agent = await startScriptedAgent({ persona: 'obedient', tasks });
  const selection = { agent_endpoint: `${agent.url}${agentPaths.openai_responses}`, environments: ['mail'] };
  const runs = await Promise.all(
    Array.from({ length: 3 }, () => evaluate({ ...selection, max_tasks: 60 }, { concurrency: 50 })),
  );
  for (const run of runs) {
    assert.deepEqual([run.status, run.counts.error], ['completed', 0], run.error);
    const { body: listed } = await call('GET', `/api/results?run_id=${run.run_id}&limit=500`, { as });
    for (const { result_id: id, task_id: taskId } of listed.results as Listed[]) {
      const { body: trajectory } = await call('GET', `/api/results/${id}/trajectory`, { as });
      const task = tasks.find((each) => each.id === taskId);
      const steps =
        task?.threatModel === 'benign'
          ? task.groundTruth.user
          : Object.values(task?.groundTruth ?? {}).flat();
      const expected = steps.flatMap((step) => ('call' in step ? [step.call] : []));
      const made = trajectory.steps.flatMap(({ role, tool }: { role: string; tool: string | null }) =>
        role === 'agent' && tool !== null ? [tool] : [],
      );
      assert.deepEqual(made, expected, taskId);
    }
  }
});

test('two runs of agents with one fixed MCP address do not disturb each other', async () => {
  const mcp = { url: `${service.url}/sandbox/mcp`, apiKey: service.apiKey };
  await using agent = await startScriptedAgent({ persona: 'obedient', tasks, mcp });
  const selection = {
    agent_endpoint: `${agent.url}${agentPaths.openai_chat}`,
    environments: ['payments'],
    max_tasks: 8,
  };
  const runs = await Promise.all([evaluate(selection), evaluate(selection)]);
  for (const { run_id: runId } of runs) {
    const { body: stats } = await call('GET', `/api/sessions/${runId}/stats`, { as });
    assert.deepEqual([stats.total.asr.rate, stats.total.error_rate.rate], [1, 0]);
  }
});

test('a task whose environment the pool does not have ends with an error that says so', async () => {
  await using agent = await startScriptedAgent({ persona: 'obedient', tasks });
  const endpoint = `${agent.url}${agentPaths.openai_responses}`;
  const run = await evaluate({ agent_endpoint: endpoint, environments: ['travel'], max_tasks: 3 });
  assert.deepEqual([run.status, run.counts.error], ['completed', 3]);
  const { body: listed } = await call('GET', `/api/results?run_id=${run.run_id}`, { as });
  assert.match(listed.results[0].error, /The pool has no instance of travel/);
});
