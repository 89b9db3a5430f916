/**
 * A PostgreSQL that accepts connections and never responds: requests that need it are refused in time, cached
 * verdicts continue, revoked credentials stay revoked, and everything recovers by itself.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase, type TestDatabaseSettings } from '#base/db/testing.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { serve, type Served } from './serve.ts';

/** A proxy that forwards bytes until it is frozen; then it reads them and does nothing. */
async function openFreezer(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (isFrozen) from.pause();
      from.on('data', (chunk: Buffer) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const refusedWithinMs = 5000;

async function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await isSo()) return;
    await sleep(100);
  }
  assert.fail(what);
}

describe('a frozen database', { skip: process.env['BULWARK_TEST_DATABASE'] !== 'postgres' }, () => {
  let database: TestDatabaseSettings;
  let freezer: Awaited<ReturnType<typeof openFreezer>>;
  before(async () => {
    database = await makeTestDatabase();
    freezer = await openFreezer(database.settings.url ?? '');
  });
  after(async () => {
    freezer[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  test('verdicts continue, other requests get 503 in time, and revoked keys stay revoked', async (t) => {
    const served: Served = await serve(
      'policy-guard',
      { ...database.settings, url: freezer.url },
      { BULWARK_PORT_POLICY_GUARD: '0', BULWARK_GRPC_ENABLED: 'false' },
    );
    t.after(() => served.child.kill('SIGKILL'));
    const { call, send } = served;
    const group = await call('/api/policy_groups', {
      name: 'Banking',
      policies: [{ name: 'Wires', description: 'Help with hiding wire transfers.' }],
    });
    const guard = await call('/api/guards', { name: 'G', policy_group_uuids: [group.group_uuid] });
    const newKey = async (name: string) =>
      (await call('/api/api-keys', { name })) as { id: string; key: string };
    const [good, gone] = [await newKey('good'), await newKey('gone')];
    const judge = async (key: string) => {
      const begun = performance.now();
      const body = { guard_uuid: guard.guard_uuid, text: `a text of ${Math.random()}` };
      const { status } = await send('/api/topic_guard', body, { authorization: `Bearer ${key}` });
      return { status, ms: performance.now() - begun };
    };
    for (const { key } of [good, gone]) assert.equal((await judge(key)).status, 200);
    // This process sees the revocation before the database freezes.
    assert.equal((await served.remove(`/api/api-keys/${gone.id}`)).status, 200);
    assert.equal((await send('/readyz')).status, 200);

    freezer.freeze();
    const frozenAt = performance.now();
    const begun = performance.now();
    const refused = await send('/api/guards');
    assert.equal(refused.status, 503, await refused.text());
    assert.ok(performance.now() - begun < refusedWithinMs, `it took ${performance.now() - begun} ms`);
    // Longer than values are cached while the database responds; from here on no request waits for it.
    const untilMs = Number(process.env['BULWARK_TEST_FROZEN_MS'] ?? 12_000);
    while (performance.now() - frozenAt < untilMs) {
      const verdict = await judge(good.key);
      assert.equal(verdict.status, 200);
      assert.ok(verdict.ms < refusedWithinMs, `a verdict took ${verdict.ms} ms`);
      assert.notEqual((await judge(gone.key)).status, 200);
      await sleep(250);
    }
    assert.equal((await send('/livez')).status, 200);
    const ready = await send('/readyz');
    assert.equal(ready.status, 503);
    assert.deepEqual(await ready.json(), {
      status: 'unavailable',
      checks: { database: 'failing', migrations: 'unknown', keys: 'unknown', jobs: 'ok' },
    });

    freezer.thaw();
    await eventually(async () => (await send('/readyz')).status === 200, 'it is never ready again');
    assert.equal((await send('/api/guards')).status, 200);
    assert.equal((await judge(good.key)).status, 200);
    assert.equal((await judge(gone.key)).status, 401);
  });

  test('background jobs continue afterwards without a restart', async () => {
    await using db = await openDatabase({ ...database.settings, url: freezer.url, poolSize: 3 });
    await using jobs = createJobs(db, { pollSeconds: 1, graceMs: 100 });
    const done: number[] = [];
    await jobs.define<{ n: number }>('thaw', { retryDelaySeconds: 1 }, async ({ data }) => {
      done.push(data.n);
    });
    await jobs.start();
    await jobs.send('thaw', { n: 1 });
    await eventually(async () => done.includes(1), 'the first job does not run');
    freezer.freeze();
    await assert.rejects(jobs.send('thaw', { n: 2 }), { status: 503 });
    freezer.thaw();
    await eventually(
      () =>
        jobs.send('thaw', { n: 3 }).then(
          () => true,
          () => false,
        ),
      'no job can be sent',
    );
    await eventually(async () => done.includes(3), 'the job after the freeze does not run');
  });
});
