/**
 * SIGTERM under load: every request sent gets its response, directly and through the front door; new connections are
 * refused only after /readyz has reported it, and streams are told that they end.
 *
 * Two rounds of 300 requests by default; the full figure with
 * `BULWARK_TEST_DRAIN_ROUNDS=10 BULWARK_TEST_DRAIN_REQUESTS=1000 node --test test/faults/drain.test.ts`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { reflectedClient } from '../../src/services/policy-guard/apis/grpc/fixtures/reflected-client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { serve } from './serve.ts';

const rounds = Number(process.env['BULWARK_TEST_DRAIN_ROUNDS'] ?? 2);
const requests = Number(process.env['BULWARK_TEST_DRAIN_REQUESTS'] ?? 300);
const clients = 16;
/** Longer than `shutdown.delay_ms`, which is 300 by default: requests within that time are still answered. */
const noticedAfterMs = 1000;

interface Answer {
  readonly status: number | undefined;
  readonly closes: boolean;
}

const get = (url: string, agent: Agent, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode, closes: response.headers.connection === 'close' }),
      );
    })
      .once('error', reject)
      .end();
  });

test('every request is answered while the service shuts down', async (t) => {
  await using database = await makeTestDatabase();
  let [answered, sentWhileDraining] = [0, 0];
  for (let round = 1; round <= rounds; round++) {
    const { child, base, token } = await serve('action-guard', database.settings);
    t.after(() => child.kill('SIGKILL'));
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const headers = { authorization: `Bearer ${token}` };
    const lost: unknown[] = [];
    const statuses = new Map<number | undefined, number>();
    let [count, isNoticed, closed, isDraining] = [0, false, 0, false];
    const client = async () => {
      // As a load balancer does: until it has noticed that the process is not ready, it keeps sending requests.
      while (!isNoticed) {
        if (isDraining) sentWhileDraining++;
        try {
          const { status, closes } = await get(`${base}/auth/users?limit=1`, agent, headers);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          closed += Number(closes);
        } catch (error) {
          lost.push(error);
        }
        count++;
      }
    };
    const working = Promise.all(Array.from({ length: clients }, client));
    while (count < requests) await sleep(5);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    isDraining = true;
    const probes = new Agent({ keepAlive: false });
    while ((await get(`${base}/readyz`, probes)).status !== 503);
    await sleep(noticedAfterMs);
    isNoticed = true;
    await working;
    assert.deepEqual(lost, [], `round ${round}`);
    assert.deepEqual([...statuses.keys()], [200]);
    assert.ok(closed > 0, 'connections are told that they end');
    assert.equal(((await ended) as [number | null])[0], 0);
    answered += count;
    agent.destroy();
  }
  t.diagnostic(`${answered} requests answered, ${sentWhileDraining} of them sent after SIGTERM`);
});

test('requests through the front door are answered during shutdown, and event streams end', async (t) => {
  await using database = await makeTestDatabase();
  const dashboard = await mkdtemp(join(tmpdir(), 'bulwark-dashboard-'));
  t.after(() => rm(dashboard, { recursive: true, force: true }));
  await mkdir(join(dashboard, 'dist', 'assets'), { recursive: true });
  await writeFile(join(dashboard, 'dist', 'index.html'), '<!doctype html><title>Bulwark</title>');
  const served = await serve(['policy-guard', 'dashboard'], database.settings, {
    BULWARK_PORT_POLICY_GUARD: '0',
    BULWARK_GRPC_ENABLED: 'false',
    BULWARK_DASHBOARD_FOLDER: dashboard,
  });
  const { child, token, call } = served;
  t.after(() => child.kill('SIGKILL'));
  const door = served.urls.get('dashboard') ?? '';
  const guard = await call('/api/guards', { name: 'G' });
  const headers = { authorization: `Bearer ${token}` };
  const stream = await fetch(
    `${door}/services/policy-guard/api/queries/stream?guard_uuid=${guard.guard_uuid}`,
    {
      headers: { ...headers, accept: 'text/event-stream' },
    },
  );
  assert.equal(stream.status, 200, await (stream.ok ? '' : stream.text()));
  const reading = stream.text();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let [isNoticed, answered] = [false, 0];
  const lost: unknown[] = [];
  const client = async () => {
    while (!isNoticed)
      await get(`${door}/services/policy-guard/api/guards?limit=1`, agent, headers).then(
        ({ status }) => (status === 200 ? answered++ : lost.push(status)),
        (error: unknown) => lost.push(error),
      );
  };
  const working = Promise.all(Array.from({ length: 8 }, client));
  while (answered < requests / 2) await sleep(5);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const probes = new Agent({ keepAlive: false });
  while ((await get(`${door}/readyz`, probes)).status !== 503);
  await sleep(noticedAfterMs);
  isNoticed = true;
  await working;
  assert.deepEqual(lost, []);
  t.diagnostic(`${answered} requests answered`);
  assert.match(await reading, /retry: 3000/, 'the stream ended properly and was not cut off');
  assert.equal(((await ended) as [number | null])[0], 0);
  agent.destroy();
});

test('gRPC calls are answered during shutdown', async (t) => {
  await using database = await makeTestDatabase();
  const port = await freePort();
  const { child, base, token, call } = await serve('policy-guard', database.settings, {
    BULWARK_PORT_POLICY_GUARD: '0',
    BULWARK_PORT_POLICY_GUARD_GRPC: String(port),
  });
  t.after(() => child.kill('SIGKILL'));
  const guard = await call('/api/guards', { name: 'G' });
  using client = await reflectedClient(`127.0.0.1:${port}`, 'bulwark.topicguard.v1.TopicGuardService');
  let [isNoticed, answered] = [false, 0];
  const lost: unknown[] = [];
  const request = { guard_uuid: guard.guard_uuid, text: 'Hello' };
  const metadata = { authorization: `Bearer ${token}` };
  const ask = async () => {
    while (!isNoticed)
      await client.call('CheckTopicSafety', request, metadata).then(({ answer, error }) => {
        if (answer === undefined) lost.push(error);
        else answered++;
      });
  };
  const working = Promise.all(Array.from({ length: 8 }, ask));
  while (answered < requests / 2) await sleep(5);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const probes = new Agent({ keepAlive: false });
  while ((await get(`${base}/readyz`, probes)).status !== 503);
  await sleep(noticedAfterMs);
  isNoticed = true;
  await working;
  assert.deepEqual(lost, []);
  t.diagnostic(`${answered} calls answered`);
  assert.equal(((await ended) as [number | null])[0], 0);
});
