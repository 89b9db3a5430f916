/**
 * `kill -9` of the red-teaming platform in the middle of a run: after restarts every task has been judged exactly
 * once, with the figures of a run that was left alone, and every trajectory is in its file.
 *
 * Runs on the embedded database, or on PostgreSQL with `BULWARK_TEST_DATABASE=postgres`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { agentPaths, startScriptedAgent } from '#services/red-team/scripted-agent/server.ts';
import { serve } from './serve.ts';

const mostTasks = 60;

test('every task of a run is judged once, however often the platform is killed', async () => {
  await using database = await makeTestDatabase();
  const own = await mkdtemp(join(tmpdir(), 'bulwark-killed-'));
  const { settings } = database;
  const dataDir = settings.dataDir === '' ? own : settings.dataDir;
  const env = { BULWARK_DATA_DIR: dataDir, BULWARK_ALLOW_PRIVATE_NETWORK: 'true' };
  await using agent = await startScriptedAgent({ persona: 'obedient', tasks: shippedTasks() });
  let { child, call } = await serve('red-team', settings, env);
  try {
    const evaluation = await call('/api/evaluations', {
      name: 'killed',
      agent_endpoint: `${agent.url}${agentPaths.openai_responses}`,
      max_tasks: mostTasks,
    });
    const run = await call('/api/runs', { evaluation_id: evaluation['evaluation_id'], concurrency: 4 });
    const runId = String(run['run_id']);
    const status = async () => call(`/api/runs/${runId}/status`);
    await call(`/api/runs/${runId}/start`, {});
    const judged = new Map<string, string>();
    const note = async () => {
      const { results } = await call(`/api/results?run_id=${runId}&limit=500`);
      for (const { result_id: id, finished_at: at } of results as {
        result_id: string;
        finished_at: string | null;
      }[]) {
        if (at === null) continue;
        // A verdict is never written again.
        assert.equal(judged.get(id) ?? at, at);
        judged.set(id, at);
      }
    };
    for (const killAt of [5, 20, 40]) {
      for (;;) {
        const { passed, failed, status: now } = await status();
        if (Number(passed) + Number(failed) >= killAt || now !== 'running') break;
        await sleep(5);
      }
      await note();
      child.kill('SIGKILL');
      await once(child, 'exit');
      ({ child, call } = await serve('red-team', settings, env));
    }
    while ((await status())['status'] === 'running') await sleep(50);
    await note();
    const end = await status();
    assert.deepEqual(
      [end['status'], end['total'], end['error'], end['cancelled'], end['pending'], judged.size],
      ['completed', mostTasks, 0, 0, 0, mostTasks],
    );
    const stats = (await call(`/api/sessions/${runId}/stats`)) as { total: { asr: { rate: number } } };
    assert.equal(stats.total.asr.rate, 1);
    const { results } = await call(`/api/results?run_id=${runId}&limit=500`);
    for (const { session_id: sessionId } of results as { session_id: string }[])
      await access(join(dataDir, 'trajectories', runId, `${sessionId}.json`));
  } finally {
    child.kill('SIGKILL');
    await rm(own, { recursive: true, force: true });
  }
});
