import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../cache/memory-cache.ts';
import { openTestDatabase } from '../db/testing.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createMetrics } from './metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';

test('only the first service exports process-wide metrics', async () => {
  await using db = await openTestDatabase();
  await using cache = createMemoryCache({ maxEntries: 10, ttlSeconds: 60 });
  const ofProcess = createProcessMetrics({ db, cache });
  const first = createMetrics('first', ofProcess);
  const second = createMetrics('second', ofProcess);
  assert.doesNotMatch(await first.text(), /bulwark_jobs\{/, 'without a queue there is nothing to count');

  await using jobs = createJobs(db);
  await jobs.define('later', {}, async () => {});
  await jobs.send('later', {}, { delaySeconds: 3600 });
  await cache.set('a', 'k', 'v');
  await cache.get('a', 'k');
  await cache.get('b', 'none');
  const text = await first.text();
  for (const line of [
    /^process_cpu_seconds_total\{service="first"\} /m,
    /^nodejs_eventloop_lag_seconds\{service="first"\} /m,
    /^bulwark_database_connections\{state="waiting",service="first"\} 0$/m,
    /^bulwark_database_connections\{state="most",service="first"\} [1-9]/m,
    /^bulwark_jobs\{name="later",state="created",service="first"\} 1$/m,
    /^bulwark_cache_lookups\{backend="memory",outcome="hit",service="first"\} 1$/m,
    /^bulwark_cache_lookups\{backend="memory",outcome="miss",service="first"\} 1$/m,
    /^bulwark_cache_entries\{backend="memory",service="first"\} 1$/m,
  ])
    assert.match(text, line);
  assert.doesNotMatch(await second.text(), /process_|nodejs_|bulwark_(?:jobs|cache|database)/);
});
