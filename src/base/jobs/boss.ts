import type { AsyncLocalStorage } from 'node:async_hooks';
import { PgBoss } from 'pg-boss';
import type { Database, Queries } from '../db/database.ts';
import { bossDatabase } from './boss-database.ts';

const schema = 'jobs';

/** Embedded databases whose orphaned jobs are released: later active jobs belong to this process. */
const released = new WeakSet<Database>();

/** Starts pg-boss on our database, with jobs of a dead process released for retry; `joined` holds a send's transaction. */
export async function openBoss(
  db: Database,
  joined: AsyncLocalStorage<Queries>,
  superviseSeconds: number,
  onWarning: (message: string) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: bossDatabase(db, joined),
    backend: db.kind,
    schema,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', (error) => onWarning(`The job queue reports: ${error.message}`));
  boss.on('warning', ({ message }) => onWarning(`The job queue warns: ${message}`));
  await boss.start();
  if (db.kind === 'pglite' && !released.has(db)) {
    released.add(db);
    await releaseOrphans(db, boss);
  }
  return boss;
}

/** The embedded database has one process, and this one has just started: active jobs belong to a dead one. */
async function releaseOrphans(db: Database, boss: PgBoss): Promise<void> {
  const orphans = await db.query<{ name: string; ids: string[] }>(
    `select name, array_agg(id) as ids from ${schema}.job where state = 'active' group by name`,
  );
  for (const { name, ids } of orphans)
    await boss.fail(name, ids, { message: 'The process ended while the job ran.' });
}
