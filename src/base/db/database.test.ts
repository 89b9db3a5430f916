import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { AppError } from '#base/errors.ts';
import type { Database } from './database.ts';
import { isForeignKeyViolation, isUniqueViolation } from './errors.ts';
import { openTestDatabase } from './testing.ts';

let db: Database;
before(async () => {
  db = await openTestDatabase();
  await db.script(`
    create schema d;
    create table d.accounts (id int primary key, balance int not null check (balance >= 0));
    create table d.entries (account int not null references d.accounts, amount int not null)`);
});
after(async () => db[Symbol.asyncDispose]());
beforeEach(async () => {
  await db.script('truncate d.accounts, d.entries; insert into d.accounts values (1, 100), (2, 100)');
});

const balances = async () =>
  (await db.query<{ balance: number }>('select balance from d.accounts order by id')).map(
    (row) => row.balance,
  );

test('a transaction commits all its changes', async () => {
  const answer = await db.transaction(async (tx) => {
    await tx.query('update d.accounts set balance = balance - 30 where id = 1');
    await tx.query('update d.accounts set balance = balance + 30 where id = 2');
    return 'done';
  });
  assert.equal(answer, 'done');
  assert.deepEqual(await balances(), [70, 130]);
});

test('a transaction that throws is rolled back, and its error is rethrown unchanged', async () => {
  const error = new Error('changed my mind');
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query('update d.accounts set balance = 0');
      throw error;
    }),
    (thrown) => thrown === error,
  );
  assert.deepEqual(await balances(), [100, 100]);
});

test('a transaction in which a failed query was ignored is not reported as committed', async () => {
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query('update d.accounts set balance = 0');
      await tx.query('select 1 / 0').catch(() => {});
    }),
    /rolled back/,
  );
  assert.deepEqual(await balances(), [100, 100]);
});

test('a serialization conflict runs the transaction again', async () => {
  let runs = 0;
  await db.transaction(async (tx) => {
    runs++;
    await tx.query('update d.accounts set balance = balance - 1 where id = 1');
    if (runs < 3) await tx.script(`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`);
  });
  assert.equal(runs, 3);
  assert.deepEqual(await balances(), [99, 100]);
});

test('concurrent transactions lose no update', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      db.transaction(async (tx) => {
        // All transactions lock rows in the same order, to avoid deadlocks.
        const sign = i % 2 === 0 ? 1 : -1;
        await tx.query('update d.accounts set balance = balance + $1 where id = 1', [sign]);
        await tx.query('update d.accounts set balance = balance - $1 where id = 2', [sign]);
        await tx.query('insert into d.entries values (1, $1)', [sign]);
      }),
    ),
  );
  assert.deepEqual(await balances(), [100, 100]);
  assert.deepEqual(await db.query('select count(*) as n from d.entries'), [{ n: 40 }]);
});

test('a deadlock is resolved by running one of the two transactions again', async () => {
  const inOrder = (one: number, other: number) =>
    db.transaction(async (tx) => {
      await tx.query('update d.accounts set balance = balance + 1 where id = $1', [one]);
      await tx.query('select pg_sleep(0.05)');
      await tx.query('update d.accounts set balance = balance + 1 where id = $1', [other]);
    });
  await Promise.all([inOrder(1, 2), inOrder(2, 1)]);
  assert.deepEqual(await balances(), [102, 102]);
});

test('queries of one transaction can be started in parallel', async () => {
  const answers = await db.transaction((tx) =>
    Promise.all([1, 2, 3].map((n) => tx.query('select $1::int as n', [n]))),
  );
  assert.deepEqual(answers.flat(), [{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('inside a transaction, queries on the database object are refused instead of deadlocking', async () => {
  await db.transaction(async (tx) => {
    await assert.rejects(db.query('select 1'), /Inside a transaction/);
    await assert.rejects(
      db.transaction(async () => {}),
      /Inside a transaction/,
    );
    await tx.query('select 1');
  });
  await db.query('select 1');
});

test('a transaction’s query object is refused after the transaction has ended', async () => {
  const kept = await db.transaction(async (tx) => tx);
  await assert.rejects(kept.query('select 1'), /has ended/);
});

test('database errors keep their SQLSTATE and constraint', async () => {
  const duplicate = db.query('insert into d.accounts values (1, 1)');
  await assert.rejects(duplicate, (error) => {
    assert.ok(isUniqueViolation(error));
    assert.ok(isUniqueViolation(error, 'accounts_pkey'));
    assert.ok(!isUniqueViolation(error, 'another'));
    assert.ok(!isForeignKeyViolation(error));
    return true;
  });
  const orphan = db.query('insert into d.entries values (9, 1)');
  await assert.rejects(orphan, isForeignKeyViolation);
});

test('several statements in one query are refused, with and without parameters', async () => {
  await assert.rejects(db.query('select 1; select 2'), /multiple commands/);
  await assert.rejects(db.query('select $1::int; select 2', [1]), /multiple commands/);
  await assert.rejects(db.query(`select '${'x'}' where 1 = $1`, []), Error);
});

test('a failed script leaves no open transaction for the next statement', async () => {
  await assert.rejects(db.script('begin; delete from d.accounts; select 1 / 0; commit'), /division by zero/);
  assert.deepEqual(await balances(), [100, 100]);
  assert.deepEqual(await db.script('select 1 as a; select 2 as b'), [{ a: 1 }, { b: 2 }]);
});

const next = async (until: () => boolean) => {
  for (let i = 0; i < 500 && !until(); i++) await new Promise((done) => setTimeout(done, 10));
  assert.ok(until(), 'in time');
};

test('a notification reaches all listeners on its channel, and no others', async () => {
  const heard: string[] = [];
  await using _one = await db.listen('news', (payload) => heard.push(`one ${payload}`));
  const two = await db.listen('news', (payload) => heard.push(`two ${payload}`));
  await using _other = await db.listen('other', (payload) => heard.push(`other ${payload}`));
  await db.notify('news', 'hello \0');
  await next(() => heard.length === 2);
  assert.deepEqual(heard.sort(), ['one hello \uFFFD', 'two hello \uFFFD']);
  await two[Symbol.asyncDispose]();
  heard.length = 0;
  await db.transaction(async (tx) => tx.query(`select pg_notify('news', 'committed')`));
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(`select pg_notify('news', 'rolled back')`);
      throw new Error('no');
    }),
  );
  await db.notify('other', 'last');
  await next(() => heard.length === 2);
  assert.deepEqual(heard, ['one committed', 'other last']);
  await assert.rejects(
    db.listen('Bad "name"', () => {}),
    TypeError,
  );
});

test('a listener that throws does not affect other listeners', async () => {
  const heard: string[] = [];
  await using _broken = await db.listen('loud', () => {
    throw new Error('broken listener');
  });
  await using _sound = await db.listen('loud', (payload) => heard.push(payload));
  await db.notify('loud', 'x');
  await next(() => heard.length === 1);
});

test('queries on a closed database fail with 503, and closing twice is harmless', async () => {
  const closed = await openTestDatabase();
  await closed[Symbol.asyncDispose]();
  await assert.rejects(
    closed.query('select 1'),
    (error) => error instanceof AppError && error.status === 503,
  );
});

test('COPY keeps values as a query does, commits with its transaction, and fails as a whole', async () => {
  await db.script(
    'create table if not exists d.kept (id int primary key, text text, at timestamptz, list text[], raw bytea, fields json)',
  );
  const columns = ['id', 'text', 'at', 'list', 'raw', 'fields'];
  const at = new Date('2026-01-02T03:04:05.678Z');
  const odd = ['\\N', 'a\tb\nc\rd\\', 'null\u0000 and half \ud800', '', '\\.'];
  const rows = odd.map((text, id) => [id, text, at, [text, null], Buffer.from([0, 92, 9]), { text }]);
  await db.copy('d.kept', columns, rows);
  const values = columns.map((_, i) => `$${i + 1}`).join(', ');
  for (const [id, ...others] of rows)
    await db.query(`insert into d.kept (${columns.join(', ')}) values (${values})`, [
      Number(id) + 100,
      ...others,
    ]);
  const kept = await db.query('select * from d.kept order by id');
  const asQueries = kept.splice(odd.length).map((row) => ({ ...row, id: Number(row['id']) - 100 }));
  assert.deepEqual(kept, asQueries);
  assert.deepEqual(kept[1], {
    id: 1,
    text: odd[1],
    at,
    list: [odd[1], null],
    raw: Buffer.from([0, 92, 9]),
    fields: { text: odd[1] },
  });

  await assert.rejects(db.copy('d.kept', ['id'], [[201], [202], [1]]), (error) => isUniqueViolation(error));
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.copy('d.kept', ['id', 'text'], [[301, 'kept?']]);
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  await db.copy('d.kept', ['id'], []);
  assert.deepEqual(await db.query('select 1 as one from d.kept where id between 200 and 400'), []);
});
