import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from './testing.ts';

test('two test databases share no data', async () => {
  await using one = await openTestDatabase();
  await using other = await openTestDatabase();
  await one.script('create schema mine; create table mine.t (id int)');
  assert.deepEqual(await other.query("select to_regclass('mine.t')::text as there"), [{ there: null }]);
});
