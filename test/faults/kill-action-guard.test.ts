/**
 * `kill -9` of the action guard in the middle of calls: every acknowledged verdict has its log entry after the restart,
 * the statistics fit the entries, and an extraction job that was taken is done.
 *
 * Runs on the embedded database, and on PostgreSQL where `BULWARK_TEST_DATABASE=postgres` says so.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTestDatabase } from '#base/db/testing.ts';
import type { DatabaseSettings } from '#base/db/open.ts';

const program = fileURLToPath(new URL('../../src/cli/bulwark.ts', import.meta.url));
const password = 'a password of the test';

async function start({ dataDir, url }: DatabaseSettings) {
  const child = spawn(process.execPath, [program, 'serve', 'action-guard'], {
    env: {
      PATH: process.env['PATH'],
      BULWARK_DATA_DIR: dataDir === '' ? '/nonexistent' : dataDir,
      ...(url !== undefined && { BULWARK_DATABASE_URL: url }),
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the test with 32 characters',
      BULWARK_PORT_ACTION_GUARD: '0',
      BULWARK_PORT_AGENT_GATEWAY: '0',
      BULWARK_PORT_DASHBOARD: '0',
      BULWARK_ENVIRONMENT: 'test',
      BULWARK_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let base: string | undefined;
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    base = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (base !== undefined) break;
  }
  assert.ok(base, printed);
  const call = async (path: string, body?: object | FormData, token?: string) => {
    const isForm = body instanceof FormData;
    const response = await fetch(base + path, {
      ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
      headers: {
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    assert.equal(response.status, 200, await response.clone().text());
    // oxlint-disable-next-line typescript/no-explicit-any -- whatever came.
    return (await response.json()) as any;
  };
  const { access_token: token } = await call('/auth/login', { username: 'admin', password });
  return { child, call: (path: string, body?: object | FormData) => call(path, body, token) };
}

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
  const { child, call } = await start(settings);
  const acknowledged: string[] = [];
  let next = 0;
  const ask = async () => {
    for (;;) {
      const session = `${prefix}-${(next += 1)}`;
      await call('/api/v1/guard_actions', question(session));
      acknowledged.push(session);
    }
  };
  const askers = Promise.allSettled(Array.from({ length: 16 }, ask));
  while (acknowledged.length < killAfter) await sleep(2);
  const form = new FormData();
  form.append('text', 'Agents must never delete backups. Always ask before you pay.');
  const { job_id: jobId } = await call('/api/v1/policies/extract-rules-async', form);
  child.kill('SIGKILL');
  await Promise.all([askers, once(child, 'exit')]);
  return { acknowledged, jobId: String(jobId) };
}

test('acknowledged verdicts and jobs survive kill -9', async (t) => {
  await using database = await makeTestDatabase();
  const known: string[] = [];
  const jobIds: string[] = [];
  for (const round of [1, 2]) {
    const { acknowledged, jobId } = await killInTheMiddle(database.settings, 150 * round, `round-${round}`);
    known.push(...acknowledged);
    jobIds.push(jobId);
  }
  const { child, call } = await start(database.settings);
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
