import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { addTestKey } from '#identity/test-people.ts';
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

/** A new API key, as the pages of the account make it. */
async function keyOf(username: string): Promise<{ id: string; key: string }> {
  const key = await addTestKey(service.db, username);
  const [made] = await service.db.query<{ id: string }>(
    'select id from identity.api_keys where key_prefix = $1',
    [key.slice(0, 12)],
  );
  assert.ok(made);
  return { id: made.id, key };
}

test('agents of one user with keys of their own work at the same time, each on its own task', async () => {
  const persons = ['first', 'second'];
  const runs = await Promise.all(
    persons.map(async (name) => {
      const made = await keyOf('admin');
      await using agent = await startScriptedAgent({
        persona: 'obedient',
        tasks,
        mcp: { url: `${service.url}/sandbox/mcp`, apiKey: made.key },
      });
      const { body: registered, status } = await call('POST', '/api/agents', {
        as,
        body: {
          name,
          endpoint: `${agent.url}${agentPaths.openai_chat}`,
          protocol: 'openai_chat',
          sandbox_key_id: made.id,
        },
      });
      assert.equal(status, 200, JSON.stringify(registered));
      assert.equal(registered.sandbox_key_id, made.id);
      return await evaluate({ agent_id: registered.agent_id, environments: ['payments'], max_tasks: 24 });
    }),
  );
  for (const { run_id: runId } of runs) {
    const { body: stats } = await call('GET', `/api/sessions/${runId}/stats`, { as });
    assert.deepEqual([stats.total.asr.rate, stats.total.error_rate.rate], [1, 0]);
  }
  const [one, other] = runs.map((run) => [Date.parse(run.started_at), Date.parse(run.finished_at)]);
  assert.ok(
    one && other && one[0]! < other[1]! && other[0]! < one[1]!,
    'both were under way at the same time',
  );
});

test('an agent is bound to keys of its own user alone', async () => {
  const made = await keyOf('admin');
  const agent = { name: 'bound', endpoint: 'http://127.0.0.1:9/', protocol: 'openai_chat' };
  for (const [person, id] of [
    [tokens.member, made.id],
    [tokens.stranger, made.id],
    [as, '019a0000-0000-7000-8000-000000000000'],
  ]) {
    const { status, body } = await call('POST', '/api/agents', {
      as: person,
      body: { ...agent, sandbox_key_id: id },
    });
    assert.equal(status, 422);
    assert.match(JSON.stringify(body), /sandbox_key_id/);
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
