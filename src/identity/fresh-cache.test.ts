import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freshCache } from './fresh-cache.ts';

/** A cache over a map, whose loads wait until they are let go. */
function slow(ttlMs = 60_000) {
  const source = new Map<string, string>();
  const gates: (() => void)[] = [];
  let loads = 0;
  const cache = freshCache<string>({
    maxEntries: 3,
    ttlMs,
    load: async (key) => {
      loads++;
      const value = source.get(key);
      await new Promise<void>((resolve) => gates.push(resolve));
      return value;
    },
  });
  const get = async (key: string) => {
    const found = cache.get(key);
    open();
    return found;
  };
  const open = () => {
    for (const gate of gates.splice(0)) gate();
  };
  return { cache, source, get, open, loads: () => loads };
}

test('what is there, and what is not, is loaded once, also for many at once', async () => {
  const { cache, source, get, open, loads } = slow();
  source.set('a', '1');
  const all = Array.from({ length: 5 }, async () => cache.get('a'));
  open();
  assert.deepEqual(await Promise.all(all), ['1', '1', '1', '1', '1']);
  assert.equal(cache.get('a'), '1');
  assert.equal(await get('b'), undefined);
  assert.equal(cache.get('b'), undefined);
  assert.equal(loads(), 2);
});

test('what is forgotten while it loads is not kept', async () => {
  const { cache, source, get, open } = slow();
  source.set('a', 'old');
  const before = cache.get('a');
  source.set('a', 'new');
  cache.forget('a');
  const after = cache.get('a');
  open();
  assert.equal(await before, 'old');
  assert.equal(await after, 'new');
  assert.equal(await get('a'), 'new');
  const again = cache.get('b');
  cache.forgetAll();
  open();
  await again;
  source.set('b', 'now');
  assert.equal(await get('b'), 'now');
});

test('an entry is loaded again after its time, and no more are kept than asked', async () => {
  const { get, loads } = slow(20);
  await get('a');
  await pause(30);
  await get('a');
  assert.equal(loads(), 2);
  const many = slow();
  for (const key of ['a', 'b', 'c', 'd']) await many.get(key);
  await many.get('a');
  assert.equal(many.loads(), 5);
});

test('a failed load is told to those who wait, and tried again for the next', async () => {
  let fail = true;
  const cache = freshCache<string>({
    maxEntries: 3,
    ttlMs: 1000,
    load: async () => {
      if (fail) throw new Error('the database is gone');
      return 'back';
    },
  });
  await assert.rejects(async () => cache.get('a'), /gone/);
  fail = false;
  assert.equal(await cache.get('a'), 'back');
});
