/**
 * `kill -9` of the action guard in the middle of calls: after the restart every acknowledged verdict has its log
 * entry, the statistics match the entries, and an accepted extraction job completes.
 *
 * Runs on the embedded database, or on PostgreSQL with `BULWARK_TEST_DATABASE=postgres`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import type { DatabaseSettings } from '#base/db/open.ts';
import { serve } from './serve.ts';

const question = (session_id: string) => ({
  session_history: {
    trace: [
      { role: 'user', content: 'Read it.' },
      { role: 'agent', metadata: { tool_name: 'read_file', tool_params: { path: session_id } } },
    ],
  },
  session_id,
  policy_id: 'agp_default',
});

async function killInTheMiddle(settings: DatabaseSettings, killAfter: number, prefix: string) {
  const { child, call } = await serve('action-guard', settings);
  const acknowledged: string[] = [];
  let next = 0;
  let lastAnswer = Infinity;
  const ask = async () => {
    for (;;) {
      const session = `${prefix}-${(next += 1)}`;
      await call('/api/v1/guard_actions', question(session));
      acknowledged.push(session);
      // The kill comes right after the response, so that an entry written only a moment later would be lost.
      if (acknowledged.length >= lastAnswer) child.kill('SIGKILL');
    }
  };
  const askers = Promise.allSettled(Array.from({ length: 16 }, ask));
  while (acknowledged.length < killAfter) await sleep(2);
  const form = new FormData();
  form.append('text', 'Agents must never delete backups. Always ask before you pay.');
  const { job_id: jobId } = await call('/api/v1/policies/extract-rules-async', form);
  lastAnswer = acknowledged.length + 20;
  await Promise.all([askers, once(child, 'exit')]);
  return { acknowledged, jobId: String(jobId) };
}

test('acknowledged verdicts and jobs survive kill -9', async (t) => {
  await using database = await makeTestDatabase();
  const known: string[] = [];
  const jobIds: string[] = [];
  for (const round of [1, 2, 3]) {
    const { acknowledged, jobId } = await killInTheMiddle(database.settings, 100 * round, `round-${round}`);
    known.push(...acknowledged);
    jobIds.push(jobId);
  }
  const { child, call } = await serve('action-guard', database.settings);
  try {
    const { logs, stats, total } = await call('/api/v1/logs?limit=0');
    const found = new Set(logs.map(({ session_id }: { session_id: string }) => session_id));
    const lost = known.filter((session) => !found.has(session));
    assert.deepEqual(lost, [], `${lost.length} of ${known.length} acknowledged entries are lost`);
    assert.deepEqual(
      [total, stats.total_evaluations, stats.unique_sessions],
      [logs.length, logs.length, found.size],
    );
    t.diagnostic(`${known.length} acknowledged, ${logs.length} found`);
    for (const jobId of jobIds) {
      let job = { status: 'pending' };
      for (const end = Date.now() + 60_000; job.status === 'pending' && Date.now() < end; await sleep(200))
        job = await call(`/api/v1/policies/extraction-jobs/${jobId}`);
      assert.equal(job.status, 'completed');
    }
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
