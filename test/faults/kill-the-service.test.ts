/**
 * `kill -9` of the whole program in the middle of writes over HTTP: everything answered with 201 exists afterwards.
 *
 * Two rounds of up to 300 writes by default; the full test is `BULWARK_TEST_FAULT_ROUNDS=10
 * BULWARK_TEST_FAULT_WRITES=2000 node --test test/faults/kill-the-service.test.ts`, and on PostgreSQL with
 * `BULWARK_TEST_DATABASE=postgres` in addition.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createClient } from '#base/contract/client.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { authOperations } from '#identity/contract/auth.ts';
import { guardOperations } from '#services/policy-guard/contract/guards.ts';
import { anyPorts, bareEnv, startBulwark } from '../fixtures/bulwark.ts';

const rounds = Number(process.env['BULWARK_TEST_FAULT_ROUNDS'] ?? 2);
const writes = Number(process.env['BULWARK_TEST_FAULT_WRITES'] ?? 300);
const writers = 16;
const longestStartMs = 60_000;
const password = 'a password of the test';

async function start(env: Record<string, string>) {
  const begun = performance.now();
  const child = startBulwark(['up'], { env: { ...bareEnv(), ...anyPorts, ...env } });
  const gone = new Promise((resolve) => child.on('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /policy-guard\s+(http:\S+)/.exec(line)?.[1];
    if (url !== undefined) return { child, gone, url, startMs: performance.now() - begun };
  }
  throw new Error('bulwark up ended before it listened');
}

async function signedIn(baseUrl: string) {
  const session = await createClient(authOperations, { baseUrl }).login({
    body: { username: 'admin', password },
  });
  return createClient(guardOperations, {
    baseUrl,
    headers: () => ({ authorization: `Bearer ${session.access_token}` }),
  });
}

type Guards = Awaited<ReturnType<typeof signedIn>>;

async function allNames(guards: Guards): Promise<Set<string>> {
  const names = new Set<string>();
  for (let offset = 0; ; offset += 500) {
    const page = await guards.listGuards({ query: { limit: 500, offset } });
    for (const { name } of page.guards) names.add(name);
    if (page.guards.length < 500) return names;
  }
}

/** Writes until the service is gone; returns the acknowledged names. */
async function writeUntilKilled(guards: Guards, round: number, kill: () => void): Promise<string[]> {
  const acknowledged: string[] = [];
  const killAfter = Math.floor(writes * (0.1 + 0.85 * Math.random()));
  let next = 0;
  const writer = async () => {
    while (next < writes) {
      const name = `round ${round} write ${next++}`;
      try {
        await guards.createGuard({ body: { name } });
      } catch {
        return; // killed in the middle of a write: nothing was acknowledged
      }
      acknowledged.push(name);
      if (acknowledged.length === killAfter) kill();
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return acknowledged;
}

test('acknowledged data survives kill -9 of the service', async (context) => {
  await using database = await makeTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-faults-'));
  const { settings } = database;
  const env = {
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_LOG_LEVEL: 'error',
    BULWARK_DATA_DIR: settings.url === undefined ? settings.dataDir : dataDir,
    ...(settings.url === undefined ? {} : { BULWARK_DATABASE_URL: settings.url }),
  };
  const promised: string[] = [];
  const startsMs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const running = await start(env);
    if (round > 1) startsMs.push(running.startMs);
    const guards = await signedIn(running.url);
    promised.push(...(await writeUntilKilled(guards, round, () => running.child.kill('SIGKILL'))));
    await running.gone;
    assert.equal(running.child.signalCode, 'SIGKILL');
  }
  const last = await start(env);
  startsMs.push(last.startMs);
  const names = await allNames(await signedIn(last.url));
  last.child.kill('SIGTERM');
  await last.gone;
  await rm(dataDir, { recursive: true });
  const slowest = Math.max(...startsMs);
  context.diagnostic(`${promised.length} acknowledged, slowest start after a kill ${Math.round(slowest)} ms`);
  assert.deepEqual(
    promised.filter((name) => !names.has(name)),
    [],
  );
  assert.ok(slowest < longestStartMs, `a start after a crash took ${Math.round(slowest)} ms`);
});
