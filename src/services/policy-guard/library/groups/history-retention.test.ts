import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#base/db/testing.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { policyGuardMigrations } from '../../service.ts';
import { deleteVersionsBefore } from './history-retention.ts';

const db = await openTestDatabase([runMigrations, policyGuardMigrations]);
after(() => db[Symbol.asyncDispose]());

test('old versions are deleted, except the twenty newest of each group', async () => {
  const [busy, calm] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
  await db.script(
    'alter table policy_guard.policy_group_history drop constraint policy_group_history_group_uuid_fkey',
  );
  const insert = (group: string | undefined, versions: number) =>
    db.query(
      `insert into policy_guard.policy_group_history (group_uuid, version, action, changed_by, changed_at, summary, snapshot)
        select $1, n, 'update', 'u', timestamptz '2020-01-01' + n * interval '1 day', '', '{}' from generate_series(1, $2::int) n`,
      [group, versions],
    );
  await insert(busy, 40);
  await insert(calm, 3);
  const before = new Date('2020-01-31T00:00:00Z');
  assert.equal(await deleteVersionsBefore(db, before, 5), 5);
  assert.equal(await deleteVersionsBefore(db, before, 100), 15);
  assert.equal(await deleteVersionsBefore(db, before, 100), 0);
  assert.deepEqual(
    await db.query(
      'select min(version) as first, count(*) as n from policy_guard.policy_group_history group by group_uuid order by group_uuid',
    ),
    [
      { first: 21, n: 20 },
      { first: 1, n: 3 },
    ],
  );
});
