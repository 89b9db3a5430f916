/** Two processes are two `RateLimits` over one store here; `test/processes/rate-limits.test.ts` starts real ones. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { freePort } from '../../../test/fixtures/free-port.ts';
import { systemClock } from '../clock.ts';
import { openTestDatabase } from '../db/testing.ts';
import { AppError } from '../errors.ts';
import { limitMigrations } from './migrations.ts';
import { postgresBuckets } from './postgres-buckets.ts';
import { ahead, createRateLimits, type CountRequest, type RateLimits } from './rate-limits.ts';
import { redisBuckets } from './redis-buckets.ts';
import type { SharedBuckets } from './shared-buckets.ts';

const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
const db = await openTestDatabase([limitMigrations]);
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const skip = hasRedis ? false : 'needs redis-server';
const folder = await mkdtemp(join(tmpdir(), 'bulwark-limits-'));
const port = await freePort();
let redis: ChildProcess | undefined;
after(async () => {
  redis?.kill('SIGKILL');
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function startRedis(): Promise<void> {
  const args = ['--port', String(port), '--save', '', '--dir', folder, '--bind', '127.0.0.1'];
  redis = spawn('redis-server', args, { stdio: 'ignore' });
  await once(redis, 'spawn');
}

/** A busy machine must still wait for the store: the shared state is under test, not its speed. */
const patient = (buckets: SharedBuckets): SharedBuckets => ({ ...buckets, timeoutMs: 30_000 });
const overPostgres = () =>
  createRateLimits({ clock: systemClock, log, shared: patient(postgresBuckets(db)) });
const overRedis = () => {
  const shared = redisBuckets({ url: `redis://127.0.0.1:${port}`, timeoutMs: 30_000 });
  return createRateLimits({ clock: systemClock, log, shared });
};

const limitOf = (limits: RateLimits, perMinute: number, scope: string): CountRequest =>
  limits.limit(scope, { perMinute: () => perMinute, words: 'requests a minute' });

/** Seconds to wait, or 0 if the request passed. */
async function ask(count: CountRequest, caller = 'a'): Promise<number> {
  try {
    await count(caller);
    return 0;
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 429, String(error));
    return Number(error.headers['retry-after']);
  }
}

async function eventually(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await holds()) return;
    await sleep(50);
  }
  assert.fail(what);
}

/** Each asks three times the limit, all at once or one after the other. */
async function sharesExactly(open: () => RateLimits, scope: string): Promise<void> {
  for (const perMinute of [1, 7, 60, 600]) {
    for (const atOnce of [true, false]) {
      await using one = open();
      await using other = open();
      const name = `${scope}-${perMinute}-${atOnce}`;
      const counts = [limitOf(one, perMinute, name), limitOf(other, perMinute, name)];
      await eventually(async () => {
        // With separate callers: a caller without tokens is refused without a call of the store.
        await Promise.all(counts.map((count) => ask(count, `warm-up ${performance.now()}`)));
        await sleep(60);
        return one.isShared && other.isShared;
      }, 'the store never answered');
      const beganAt = performance.now();
      const waits: number[] = [];
      const askAll = async (count: CountRequest) => {
        if (atOnce)
          waits.push(...(await Promise.all(Array.from({ length: perMinute * 3 }, () => ask(count)))));
        else for (let i = 0; i < perMinute * 3; i += 1) waits.push(await ask(count));
      };
      await Promise.all(counts.map(askAll));
      const refilled = ((performance.now() - beganAt) * perMinute) / 60_000;
      const passed = waits.filter((wait) => wait === 0).length;
      assert.ok(passed >= perMinute, `${name}: ${passed} are fewer than the limit`);
      assert.ok(passed <= perMinute + refilled + 2 * ahead(perMinute), `${name}: ${passed} are too many`);
      const refused = waits.filter((wait) => wait > 0);
      const most = Math.ceil((60 / perMinute) * (1 + 2 * ahead(perMinute)));
      for (const wait of refused) assert.ok(wait >= 1 && wait <= most, `Retry-After: ${wait}`);
    }
  }
}

test('two processes share a limit through the database', () => sharesExactly(overPostgres, 'p'));

test('two processes share a limit through Redis', { skip }, async () => {
  await startRedis();
  await sharesExactly(overRedis, 'r');
});

test('requests counted by another process are subtracted, and tokens come back after the wait', async () => {
  await using one = overPostgres();
  await using other = overPostgres();
  const [here, there] = [limitOf(one, 600, 'later'), limitOf(other, 600, 'later')];
  for (let i = 0; i < 599; i += 1) assert.equal(await ask(here), 0);
  await one[Symbol.asyncDispose]();
  let passed = 0;
  while ((await ask(there)) === 0) passed += 1;
  assert.ok(passed < 100, `${passed} after 599 of 600`);
  assert.equal(await ask(there, 'b'), 0, 'callers are counted separately');
  assert.equal(await ask(limitOf(other, 600, 'another')), 0, 'limits are counted separately');
  await eventually(async () => (await ask(there)) === 0, 'tokens come back');
});

test('no request waits for a store that responds in time, and one message carries the counts of all callers', async () => {
  const messages: number[] = [];
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const shared: SharedBuckets = {
    kind: 'postgres',
    timeoutMs: 30_000,
    spend: (spent) => {
      messages.push(spent.length);
      resolve();
      return Promise.resolve(spent.map(({ perMinute, tokens }) => perMinute - tokens));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using limits = createRateLimits({ clock: systemClock, log, shared });
  const count = limitOf(limits, 1000, 's');
  for (let i = 0; i < 100; i += 1) assert.equal(count(`caller ${i % 10}`), undefined);
  await answered;
  assert.deepEqual(messages, [10]);
});

test('while Redis is down each process counts alone and logs it once', { skip }, async () => {
  await using limits = createRateLimits({
    clock: systemClock,
    log,
    shared: redisBuckets({ url: `redis://127.0.0.1:${port}`, timeoutMs: 200 }),
  });
  const count = limitOf(limits, 30, 'away');
  const works = async (isShared: boolean, caller: string) =>
    eventually(async () => {
      await ask(count, `${caller} ${performance.now()}`);
      return limits.isShared === isShared;
    }, `isShared never was ${isShared}`);
  await works(true, 'first');
  lines.length = 0;
  redis?.kill('SIGKILL');
  await works(false, 'second');
  let passed = 0;
  while ((await ask(count)) === 0) passed += 1;
  assert.ok(passed >= 30 && passed < 40, `${passed} of 30`);
  await startRedis();
  await works(true, 'third');
  assert.equal(lines.filter((line) => line.includes('counts alone')).length, 1);
  assert.equal(lines.filter((line) => line.includes('shared with other processes again')).length, 1);
});

test('without a store limits are counted in memory; null and 0 mean unlimited', async () => {
  await using limits = createRateLimits({ clock: systemClock, log });
  assert.equal(limits.backend, 'memory');
  const count = limitOf(limits, 2, 'm');
  assert.deepEqual([await ask(count), await ask(count), await ask(count)], [0, 0, 30]);
  const open = limits.limit('m', { perMinute: () => null, words: '' });
  for (let i = 0; i < 100; i += 1) assert.equal(open('a'), undefined);
});
