import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import type { Queries } from '../db/database.ts';
import { openTestDatabase } from '../db/testing.ts';
import { bossDatabase } from './boss-database.ts';

test('queries that pg-boss makes during a send run in the caller’s transaction', async () => {
  await using db = await openTestDatabase();
  const joined = new AsyncLocalStorage<Queries>();
  const boss = bossDatabase(db, joined);
  await db.script('create table seen (n int)');
  await assert.rejects(
    db.transaction(async (tx) =>
      joined.run(tx, async () => {
        await boss.executeSql('insert into seen values ($1)', [1]);
        assert.deepEqual((await boss.executeSql('select n from seen where n = $1', [1])).rows, [{ n: 1 }]);
        throw new Error('rolled back');
      }),
    ),
    /rolled back/,
  );
  assert.deepEqual((await boss.executeSql('select n from seen where n = $1', [1])).rows, []);
});
