/** Jobs created by versions without runs are kept after an upgrade, and queued ones are executed. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#base/db/migrate.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { newUuid } from '#base/ids.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { openTestService } from '../fixtures/service.ts';
import { actionGuardMigrations } from '../service.ts';

test('jobs of earlier versions are carried over', async () => {
  await using db = await openTestDatabase([identityMigrations, runMigrations]);
  const earlier = await mkdtemp(join(tmpdir(), 'bulwark-earlier-'));
  for (const file of await readdir(actionGuardMigrations.folder))
    if (file < '0005') await cp(join(actionGuardMigrations.folder, file), join(earlier, file));
  await migrate(db, [{ schema: 'action_guard', folder: earlier }], 'earlier');
  await rm(earlier, { recursive: true });
  const [done, failed, pending] = [newUuid(), newUuid(), newUuid()];
  const [tenant, owner] = [newUuid(), newUuid()];
  const insert = (id: string, status: string, result: object | null, error: string | null) =>
    db.query(
      `insert into action_guard.extraction_jobs values ($1, $2, $3, $4, 'Named', 'Legal', $5, $6, now(), now())`,
      [id, tenant, owner, status, result, error],
    );
  const rule = { description: 'Ask first.', severity: 'Low', source: 'Ask first.' };
  await insert(done, 'completed', { rules: [rule], totalFiles: 1, successfulFiles: 1, fileErrors: [] }, null);
  await insert(failed, 'failed', null, 'Nothing found.');
  await insert(pending, 'pending', null, null);
  await db.query(`insert into action_guard.extraction_inputs values ($1, 0, 'a.txt', $2)`, [
    pending,
    Buffer.from('Never share card numbers.'),
  ]);
  await migrate(db, [actionGuardMigrations], 'now');

  await using service = await openTestService({ db });
  await db.query(
    `update runs.runs set tenant_id = (select tenant_id::text from identity.users where username = 'admin')`,
  );
  const read = async (id: string) =>
    (await service.call('GET', `/api/v1/policies/extraction-jobs/${id}`, { as: service.tokens.admin })).body;
  const before = await read(done);
  assert.deepEqual([before.status, before.result.policy_name], ['completed', 'Named']);
  assert.deepEqual(before.result.rules, { rule_1: rule });
  const { status, error } = await read(failed);
  assert.deepEqual([status, error], ['failed', 'Nothing found.']);
  for (const end = Date.now() + 60_000; (await read(pending)).status === 'pending' && Date.now() < end;)
    await sleep(30);
  assert.deepEqual((await read(pending)).result?.rules.rule_1.description, 'Never share card numbers.');
});
