/**
 * Measures the time to count a request: in memory, and shared with other processes through PostgreSQL and Redis, for
 * callers below their limit. The ratio matters: shared limits should cost little more than in-memory ones, because no
 * request waits for the store.
 *
 * `node bench/rate-limits.ts`, with BULWARK_TEST_DATABASE_URL and BULWARK_TEST_REDIS_URL if they are not the local
 * ones.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { systemClock } from '#base/clock.ts';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { limitMigrations } from '#base/limits/migrations.ts';
import { postgresBuckets } from '#base/limits/postgres-buckets.ts';
import { createRateLimits } from '#base/limits/rate-limits.ts';
import { redisBuckets } from '#base/limits/redis-buckets.ts';
import type { SharedBuckets } from '#base/limits/shared-buckets.ts';

const serverUrl = process.env['BULWARK_TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const redisUrl = process.env['BULWARK_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const perMinute = 1_000_000;
const callers = 100;
const seconds = 3;
/** Requests per turn of the event loop. */
const together = 20;
const log = pino({ level: 'warn' });

/** Microseconds per request including waits, and messages to the store per second. */
async function measure(shared: SharedBuckets | undefined): Promise<{ micros: number; messages: number }> {
  let messages = 0;
  const counted: SharedBuckets | undefined = shared && {
    ...shared,
    spend: (spent) => {
      messages += 1;
      return shared.spend(spent);
    },
  };
  await using limits = createRateLimits({ clock: systemClock, log, shared: counted });
  const count = limits.limit(randomUUID(), { perMinute: () => perMinute, words: 'requests a minute' });
  let [spentMs, requests] = [0, 0];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const beganAt = performance.now();
    for (let i = 0; i < together; i += 1) {
      const waiting = count(`caller ${requests++ % callers}`);
      if (waiting !== undefined) await waiting;
    }
    spentMs += performance.now() - beganAt;
    await turn();
  }
  return { micros: (spentMs * 1000) / requests, messages: messages / seconds };
}

const name = `bulwark_bench_${randomUUID().replaceAll('-', '')}`;
await using server = await openDatabase({ url: serverUrl, dataDir: '', poolSize: 1 });
await server.query(`create database ${name}`);
const url = new URL(serverUrl);
url.pathname = `/${name}`;
try {
  await using db = await openDatabase({ url: url.href, dataDir: '' });
  await migrate(db, [limitMigrations], 'bench');
  await measure(undefined);
  const memory = await measure(undefined);
  const stores = {
    postgres: () => postgresBuckets(db),
    redis: () => redisBuckets({ url: redisUrl, timeoutMs: 1000 }),
  };
  console.log(`memory    ${memory.micros.toFixed(2)} µs a request`);
  for (const [store, open] of Object.entries(stores)) {
    const { micros, messages } = await measure(open());
    console.log(
      `${store.padEnd(9)} ${micros.toFixed(2)} µs a request, ${(micros / memory.micros).toFixed(2)}x; ` +
        `${Math.round(messages)} messages a second for ${callers} callers`,
    );
  }
} finally {
  await server.query(`drop database ${name} with (force)`);
}
