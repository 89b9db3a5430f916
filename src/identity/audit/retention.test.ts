import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createJobs } from '#base/jobs/jobs.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { createLog } from '#base/log/log.ts';
import { createIdentity } from '../identity.ts';
import { openTestIdentity } from '../testing.ts';
import { deleteAuditEventsBefore } from './store.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { db, clock, identity } = server;
const day = 86_400_000;
const left = async () =>
  (await db.query('select event from identity.audit_events order by at')).map(({ event }) => event);

test('audit events older than a year are deleted, oldest first; younger ones are kept', async () => {
  await db.query('delete from identity.audit_events');
  const now = clock.now();
  for (const [event, daysAgo] of [
    ['oldest', 400],
    ['old', 366],
    ['young', 364],
    ['new', 0],
  ] as const) {
    clock.advance(now - daysAgo * day - clock.now());
    await identity.audit({ event }, db);
  }
  clock.advance(now - clock.now());
  assert.equal(await deleteAuditEventsBefore(db, new Date(now - 100 * day), 1), 1);
  assert.deepEqual(await left(), ['old', 'young', 'new']);

  await using jobs = createJobs(db);
  const config = loadConfig(platformSections, {
    BULWARK_JWT_SECRET: 'a secret of the test with 32 characters',
  });
  const log = createLog({ level: 'silent' });
  await using _identity = await createIdentity({ config, db, log, clock, jobs, strictAnswers: true });
  await jobs.start();
  while ((await left()).includes('old')) await sleep(20);
  assert.deepEqual(await left(), ['young', 'new']);
});
