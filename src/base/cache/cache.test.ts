import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Cache } from './cache.ts';
import { createMemoryCache } from './memory-cache.ts';
import { openCache } from './open-cache.ts';
import { freePort } from '../../../test/fixtures/free-port.ts';

const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const skip = hasRedis ? false : 'needs redis-server';
const folder = await mkdtemp(join(tmpdir(), 'bulwark-redis-'));
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
let redis: ChildProcess | undefined;

async function startRedis(): Promise<void> {
  redis = spawn(
    'redis-server',
    ['--port', String(port), '--save', '', '--dir', folder, '--bind', '127.0.0.1'],
    {
      stdio: 'ignore',
    },
  );
  await once(redis, 'spawn');
}

async function stopRedis(): Promise<void> {
  redis?.kill('SIGKILL');
  if (redis !== undefined) await once(redis, 'exit');
}

after(async () => {
  redis?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Retries until the condition holds, for at most two seconds. */
async function eventually(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await holds()) return;
    await sleep(40);
  }
  assert.fail(what);
}

async function keepsPromises(cache: Cache): Promise<void> {
  assert.equal(await cache.get('a', 'k'), undefined);
  await cache.set('a', 'k', 'one');
  await cache.set('a', 'k:*?[x]', 'two');
  await cache.set('b', 'k', 'three');
  await cache.set('a*', 'k', 'four');
  assert.equal(await cache.get('a', 'k'), 'one');
  assert.equal(await cache.get('a', 'k:*?[x]'), 'two');
  assert.equal(await cache.get('b', 'k'), 'three');
  const { entries, hits, misses, ttlSeconds } = await cache.stats('a');
  assert.deepEqual([entries, hits, misses, ttlSeconds], [2, 2, 1, 60]);
  assert.equal(await cache.clear('a*'), 1);
  assert.equal(await cache.clear('a'), 2);
  assert.equal(await cache.get('a', 'k'), undefined);
  assert.equal(await cache.get('b', 'k'), 'three');
  assert.equal((await cache.stats('a')).entries, 0);
}

test('in memory: equal keys of different scopes do not mix', async () => {
  await using cache = openCache(undefined, { maxEntries: 10, ttlSeconds: 60 }, log);
  assert.equal(cache.backend, 'memory');
  await keepsPromises(cache);
});

test('in memory: the number of entries and of characters is limited', async () => {
  await using cache = createMemoryCache({ maxEntries: 3, ttlSeconds: 60 });
  for (const key of ['1', '2', '3', '4', '5']) await cache.set('a', key, 'x');
  const { entries, evictions, maxEntries } = await cache.stats('a');
  assert.deepEqual([entries, evictions, maxEntries], [3, 2, 3]);
  await cache.set('b', 'big', 'x'.repeat(1_000_000));
  assert.equal(await cache.get('b', 'big'), undefined);
  assert.equal((await cache.stats('a')).entries, 3);
});

test('in memory: entries expire after their time to live', async () => {
  await using cache = createMemoryCache({ maxEntries: 3, ttlSeconds: 0.02 });
  await cache.set('a', 'k', 'x');
  await sleep(60);
  assert.equal((await cache.stats('a')).entries, 0);
  assert.equal(await cache.get('a', 'k'), undefined);
});

test('in Redis: scopes are separate, entries expire, and processes share entries', { skip }, async () => {
  await startRedis();
  await using cache = openCache(url, { maxEntries: 10, ttlSeconds: 60 }, log);
  await using second = openCache(url, { maxEntries: 10, ttlSeconds: 60 }, log);
  assert.equal(cache.backend, 'redis');
  for (const each of [cache, second])
    await eventually(async () => {
      await each.set('warm', 'up', 'x');
      return (await each.get('warm', 'up')) === 'x';
    }, 'Redis never answered');
  await keepsPromises(cache);
  await cache.set('shared', 'k', 'x');
  assert.equal(await second.get('shared', 'k'), 'x');
  assert.deepEqual(
    [(await cache.stats('shared')).maxEntries, (await cache.stats('shared')).evictions],
    [null, null],
  );
});

test('in Redis: only one process at a time can claim a key to compute its value', { skip }, async () => {
  await using cache = openCache(url, { maxEntries: 10, ttlSeconds: 60 }, log);
  await using second = openCache(url, { maxEntries: 10, ttlSeconds: 60 }, log);
  for (const each of [cache, second])
    await eventually(async () => {
      await each.set('warm', 'up', 'x');
      return (await each.get('warm', 'up')) === 'x';
    }, 'Redis never answered');
  const mine = await cache.claim('a', 'made', 10_000);
  assert.equal(mine?.value, undefined);
  assert.equal(await second.claim('a', 'made', 10_000), undefined, 'claimed by the first');
  assert.ok(await second.claim('b', 'made', 10_000), 'the same key in another scope can be claimed');
  await cache.set('a', 'made', 'x');
  await mine?.release();
  const late = await second.claim('a', 'made', 10_000);
  assert.equal(late?.value, 'x', 'a later claim returns the value');
  await mine?.release();
  assert.equal(await cache.claim('a', 'made', 10_000), undefined, 'only its holder can release a claim');
  await late?.release();
  assert.ok(await cache.claim('a', 'lost', 20));
  await eventually(
    async () => (await second.claim('a', 'lost', 20)) !== undefined,
    'a claim expires after its time',
  );
  assert.equal((await cache.stats('a')).entries, 1, 'claims do not count as entries');
  await cache.clear('a');
});

test('when Redis dies, hangs or restarts, no call fails', { skip }, async () => {
  await using cache = openCache(url, { maxEntries: 10, ttlSeconds: 60 }, log);
  const works = async () => {
    await cache.set('a', 'k', 'x');
    return (await cache.get('a', 'k')) === 'x';
  };
  await eventually(works, 'Redis never answered');
  lines.length = 0;

  redis?.kill('SIGSTOP');
  let start = performance.now();
  assert.equal(await cache.get('a', 'k'), undefined);
  assert.ok(performance.now() - start < 5_000, 'a call does not wait for a silent server');
  start = performance.now();
  for (let i = 0; i < 100; i += 1) await cache.get('a', 'k');
  assert.ok(
    performance.now() - start < 5_000,
    'later calls skip the server for a while: 100 timeouts would take 10 s',
  );
  redis?.kill('SIGCONT');
  await eventually(works, 'Redis did not come back from its sleep');

  await stopRedis();
  for (let i = 0; i < 50; i += 1) {
    assert.equal(await cache.get('a', 'k'), undefined);
    await cache.set('a', 'k', 'x');
    await sleep(10);
  }
  assert.equal(await cache.clear('a'), 0);
  assert.equal((await cache.stats('a')).entries, 0);
  assert.ok(await cache.claim('a', 'k', 10), 'without the server every claim is granted');
  assert.ok(await cache.claim('a', 'k', 10_000));
  await startRedis();
  await eventually(works, 'Redis did not come back from the dead');
  const warnings = lines.filter((line) => line.includes('without the shared cache'));
  assert.equal(warnings.length, 2, 'one log line for each outage, not for each call');
  assert.equal(lines.filter((line) => line.includes('responds again')).length, 2);
  await stopRedis();
});

test('a Redis server that never replies does not delay calls', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address() as AddressInfo;
  await using cache = openCache(`redis://127.0.0.1:${address.port}`, { maxEntries: 1, ttlSeconds: 1 }, log);
  const start = performance.now();
  await cache.set('a', 'k', 'x');
  assert.equal(await cache.get('a', 'k'), undefined);
  assert.ok(performance.now() - start < 5_000, 'without waiting for a reply');
  silent.close();
});
