import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../errors.ts';
import { LiveCache, loadEach } from './live-cache.ts';

/** A clock that does not advance by itself: otherwise a value could expire in the middle of a test. */
function stillClock() {
  let nowMs = 1000;
  return { now: () => nowMs, advance: (ms: number) => void (nowMs += ms) };
}

/** A cache over a map, whose loads wait until the test releases them. */
function slow(options: { ttlMs?: number; maxEntries?: number; staleWhileUnavailableMs?: number } = {}) {
  const clock = stillClock();
  const source = new Map<string, string>();
  const gates: (() => void)[] = [];
  const reads: (readonly string[])[] = [];
  let failure: Error | undefined;
  const cache = new LiveCache<string>({
    maxEntries: 30,
    ttlMs: 60_000,
    patienceMs: 1,
    ...options,
    clock,
    load: async (keys) => {
      reads.push(keys);
      const found = new Map(keys.flatMap((key) => (source.has(key) ? [[key, source.get(key)!]] : [])));
      await new Promise<void>((resolve) => gates.push(resolve));
      if (failure !== undefined) throw failure;
      return found;
    },
  });
  const open = () => {
    for (const gate of gates.splice(0)) gate();
  };
  const get = async (key: string) => {
    const found = cache.get(key);
    open();
    return found;
  };
  return { cache, clock, source, get, open, reads, fail: (error: Error | undefined) => (failure = error) };
}

test('existing and missing values are loaded once, also for concurrent reads', async () => {
  const { cache, source, get, open, reads } = slow();
  source.set('a', '1');
  const all = Array.from({ length: 5 }, async () => cache.get('a'));
  open();
  assert.deepEqual(await Promise.all(all), ['1', '1', '1', '1', '1']);
  assert.equal(cache.get('a'), '1');
  assert.equal(await get('b'), undefined);
  assert.equal(cache.get('b'), undefined);
  assert.equal(reads.length, 2);
});

test('keys that are missing from the cache are loaded in one batch, and values that do not exist are cached too', async () => {
  const { cache, source, get, open, reads } = slow();
  for (const key of ['a', 'b', 'c']) source.set(key, key.toUpperCase());
  await get('a');
  const found = cache.getMany(['c', 'a', 'b', 'c', 'none']);
  open();
  assert.deepEqual(await found, ['C', 'A', 'B', 'C', undefined]);
  assert.deepEqual(reads.slice(1), [['c', 'b', 'none']]);
  assert.deepEqual(cache.getMany(['a', 'none']), ['A', undefined]);
});

test('a key invalidated while it is loading is not cached; other keys of that load are', async () => {
  const { cache, source, get, open, reads } = slow();
  source.set('a', 'old').set('b', 'same');
  const before = cache.get('a');
  const beside = cache.get('b');
  source.set('a', 'new');
  cache.forget('a');
  const after = cache.get('a');
  open();
  assert.deepEqual(await Promise.all([before, after, beside]), ['old', 'new', 'same']);
  assert.equal(cache.get('a'), 'new');
  assert.equal(cache.get('b'), 'same');
  assert.equal(reads.length, 3);
  const again = cache.get('c');
  cache.forgetAll();
  open();
  assert.equal(await again, undefined);
  source.set('c', 'now');
  assert.equal(await get('c'), 'now');
});

test('a value is loaded again after its time to live, and the cache keeps at most maxEntries', async () => {
  const { cache, clock, source, get, reads } = slow({ ttlMs: 1000, maxEntries: 3 });
  source.set('a', '1');
  await get('a');
  clock.advance(999);
  assert.equal(cache.get('a'), '1');
  clock.advance(1);
  source.set('a', '2');
  assert.equal(await get('a'), '2');
  assert.equal(reads.length, 2);
  for (const key of ['b', 'c', 'd']) source.set(key, key);
  for (const key of ['b', 'c', 'd']) await get(key);
  assert.equal(cache.get('d'), 'd');
  assert.ok(cache.get('a') instanceof Promise);
});

test('many unknown keys evict no existing value', async () => {
  const { cache, source, get } = slow({ maxEntries: 10 });
  source.set('a', '1');
  await get('a');
  for (let i = 0; i < 100; i += 1) await get(`unknown ${i}`);
  assert.equal(cache.get('a'), '1');
});

test('a failed load rejects all waiting reads and is retried on the next read', async () => {
  let fail = true;
  const cache = new LiveCache<string>({
    maxEntries: 3,
    ttlMs: 1000,
    load: loadEach(async () => {
      if (fail) throw new Error('the database is gone');
      return 'back';
    }),
  });
  const both = await Promise.allSettled([cache.get('a'), cache.get('a')]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fail = false;
  assert.equal(await cache.get('a'), 'back');
});

const away = () => unavailable('The database cannot be reached.');

test('while the database is down, unchanged values are served stale for a limited time, and invalidated ones are refused', async () => {
  const { cache, clock, source, get, open, reads, fail } = slow({
    ttlMs: 1000,
    staleWhileUnavailableMs: 60_000,
  });
  source.set('a', '1').set('revoked', 'key');
  await get('a');
  await get('revoked');
  await get('none');
  fail(away());
  clock.advance(2000);
  assert.equal(await get('a'), '1');
  assert.equal(await get('none'), undefined);
  // The cache knows that the database is unavailable, and does not try again for every key.
  assert.equal(cache.get('a'), '1');
  const asked = reads.length;
  clock.advance(1500);
  assert.equal(await get('a'), '1');
  assert.equal(cache.get('none'), undefined);
  assert.equal(reads.length, asked + 1);

  cache.forget('revoked');
  await assert.rejects(get('revoked'), { status: 503 });
  clock.advance(60_000);
  await assert.rejects(get('a'), { status: 503 });

  fail(undefined);
  source.set('a', '2');
  open();
  assert.equal(await get('a'), '2');
});

test('while the database does not respond, reads that may be stale return without waiting', async () => {
  const { cache, clock, source, get, open } = slow({ ttlMs: 1000, staleWhileUnavailableMs: 60_000 });
  source.set('a', '1');
  await get('a');
  clock.advance(1000);
  source.set('a', '2');
  // The load is never released.
  assert.equal(await cache.get('a'), '1');
  assert.equal(cache.get('a'), '1');
  clock.advance(1000);
  const waiting = cache.get('a');
  cache.forget('a');
  const afterChange = cache.get('a');
  open();
  assert.equal(await afterChange, '2');
  await waiting;
  assert.equal(cache.get('a'), '2');
});

test('an error other than an unavailable database is thrown instead of serving a stale value', async () => {
  const { clock, source, get, fail } = slow({ ttlMs: 1000, staleWhileUnavailableMs: 60_000 });
  source.set('a', '1');
  await get('a');
  clock.advance(1000);
  fail(new Error('the row cannot be read'));
  await assert.rejects(get('a'), /cannot be read/);
});
