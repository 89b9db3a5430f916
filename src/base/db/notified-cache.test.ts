import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createLog } from '../log/log.ts';
import type { Database } from './database.ts';
import { loadEach } from './live-cache.ts';
import { databaseWith, openTestDatabase } from './testing.ts';
import { openNotifiedCache } from './notified-cache.ts';

const db = await openTestDatabase();
after(() => db[Symbol.asyncDispose]());
await db.script('create table things (id text primary key, name text not null)');
const log = createLog({ level: 'silent' });

const set = (id: string, name: string) =>
  db.query(
    'insert into things (id, name) values ($1, $2) on conflict (id) do update set name = excluded.name',
    [id, name],
  );

/** A cache as in one process; `changes` are the notifications that it received. */
async function openOne(database: Database = db) {
  const changes: (string | undefined)[] = [];
  const waiting = new Set<() => void>();
  const cache = await openNotifiedCache<string>({
    db: database,
    log,
    channel: 'things_changed',
    maxEntries: 100,
    ttlMs: 3_600_000,
    load: loadEach(async (id) => {
      const [row] = await db.query<{ name: string }>('select name from things where id = $1', [id]);
      return row?.name;
    }),
    onChange(key) {
      changes.push(key);
      for (const wake of waiting) wake();
    },
  });
  const told = async (key: string | undefined) => {
    while (!changes.includes(key)) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  return { cache, changes, told, [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose]() };
}

test('a change is visible at once in its own process, and in others after the notification', async () => {
  await using here = await openOne();
  await using elsewhere = await openOne();
  await set('a', 'before');
  assert.equal(await here.cache.get('a'), 'before');
  assert.equal(await elsewhere.cache.get('a'), 'before');
  assert.equal(await elsewhere.cache.get('b'), undefined);
  await set('a', 'after');
  await set('b', 'new');
  assert.equal(elsewhere.cache.get('a'), 'before');
  await here.cache.changed('a');
  assert.equal(await here.cache.get('a'), 'after');
  await here.cache.changed('b');
  await elsewhere.told('b');
  assert.deepEqual(await elsewhere.cache.getMany(['a', 'b']), ['after', 'new']);
});

test('a change notified within a transaction takes effect on commit', async () => {
  await using elsewhere = await openOne();
  await set('c', 'before');
  await elsewhere.cache.get('c');
  await db.transaction(async (tx) => {
    await tx.query('update things set name = $2 where id = $1', ['c', 'after']);
    await tx.query('select pg_notify($1, $2)', ['things_changed', 'c']);
  });
  await elsewhere.told('c');
  assert.equal(await elsewhere.cache.get('c'), 'after');
});

test('after a lost connection all values are loaded again, and a change succeeds although its notification fails', async () => {
  let onGap = () => {};
  const broken = databaseWith(db, {
    listen(channel, onMessage, gap) {
      onGap = gap ?? onGap;
      return db.listen(channel, onMessage, gap);
    },
    notify: () => Promise.reject(new Error('the connection is lost')),
  });
  await using one = await openOne(broken);
  await set('d', 'before');
  assert.equal(await one.cache.get('d'), 'before');
  await set('d', 'after');
  onGap();
  assert.equal(await one.cache.get('d'), 'after');
  await set('d', 'last');
  await one.cache.changed('d');
  assert.equal(await one.cache.get('d'), 'last');
});

test('without notifications the cache still starts, and changes take effect within seconds', async () => {
  const deaf = databaseWith(db, { listen: () => Promise.reject(new Error('no connection is left')) });
  await using cache = await openNotifiedCache<string>({
    db: deaf,
    log,
    channel: 'things_changed',
    maxEntries: 10,
    ttlMs: 3_600_000,
    disconnectedTtlMs: 0,
    load: loadEach(async () => 'read'),
  });
  assert.equal(await cache.get('a'), 'read');
  assert.ok(cache.get('a') instanceof Promise);
});
