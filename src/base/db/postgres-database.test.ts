/** Failures that only a server can have: lost connections. Runs with `BULWARK_TEST_DATABASE=postgres`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open.ts';
import { makeTestDatabase, type TestDatabaseSettings } from './testing.ts';

const isUnavailable = (error: unknown) => error instanceof AppError && error.status === 503;

describe('lost connections', { skip: process.env['BULWARK_TEST_DATABASE'] !== 'postgres' }, () => {
  let database: TestDatabaseSettings;
  let db: Database;
  let operator: Database;
  const warnings: string[] = [];
  before(async () => {
    database = await makeTestDatabase();
    db = await openDatabase({
      ...database.settings,
      poolSize: 3,
      onWarning: (message) => warnings.push(message),
    });
    operator = await openDatabase({ ...database.settings, poolSize: 1 });
  });
  after(async () => {
    await db[Symbol.asyncDispose]();
    await operator[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
  const cutAll = () =>
    operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );

  test('session options of the address are kept, beside our own', async () => {
    const url = new URL(database.settings.url ?? '');
    url.searchParams.set('options', '-c geqo=off -c TimeZone=Asia/Tokyo');
    await using optioned = await openDatabase({ ...database.settings, url: url.href, poolSize: 1 });
    assert.deepEqual(
      await optioned.query(
        `select current_setting('geqo') as geqo, current_setting('TimeZone') as zone, current_setting('jit') as jit`,
      ),
      [{ geqo: 'off', zone: 'UTC', jit: 'off' }],
    );
  });

  test('lost idle connections are replaced without an error', async () => {
    await Promise.all([1, 2, 3].map(() => db.query('select pg_sleep(0.05)')));
    await cutAll();
    await sleep(100);
    assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }]);
    assert.ok(warnings.some((message) => message.includes('idle')));
  });

  test('a connection lost during a query is 503, and the next query works', async () => {
    const running = assert.rejects(db.query('select pg_sleep(10)'), isUnavailable);
    await sleep(100);
    await cutAll();
    await running;
    assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }]);
  });

  test('a connection lost within a transaction, between its statements, is 503', async () => {
    await operator.script('create table if not exists lost (n int)');
    const broken = db.transaction(async (tx) => {
      await tx.query('insert into lost values (1)');
      await cutAll();
      await sleep(100);
      await tx.query('insert into lost values (2)');
    });
    await assert.rejects(broken, isUnavailable);
    assert.deepEqual(await db.query('select * from lost'), []);
    await db.transaction(async (tx) => tx.query('insert into lost values (3)'));
  });

  test('queries beyond the pool size wait for a free connection', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => db.query('select $1::int as i', [i])),
    );
    assert.deepEqual(
      answers.flat().map((row) => row['i']),
      Array.from({ length: 30 }, (_, i) => i),
    );
  });

  test('after reconnecting, listeners receive notifications again and are informed of the gap', async () => {
    const heard: string[] = [];
    let gaps = 0;
    await using _listening = await db.listen(
      'news',
      (payload) => heard.push(payload),
      () => gaps++,
    );
    const hears = async (count: number) => {
      for (let i = 0; i < 250 && heard.length < count; i++) await sleep(20);
    };
    await db.notify('news', 'before');
    await hears(1);
    await cutAll();
    for (let i = 0; i < 200 && gaps === 0; i++) await sleep(20);
    assert.equal(gaps, 1);
    await db.notify('news', 'after');
    await hears(2);
    assert.deepEqual(heard, ['before', 'after']);
  });
});
