/**
 * Executes runs until it is killed: `node test/faults/run-worker.ts <database settings as JSON> [<lease in ms> [until-idle]]`.
 *
 * Each unit of a run is written together with the checkpoint in one transaction, and then printed.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';
import type { Run } from '#base/jobs/runs/run.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { poison, type Task, units } from './run-kinds.ts';

const [settings = '{}', leaseMs = '30000', untilIdle] = process.argv.slice(2);
const note = (line: string) => writeSync(1, `${line}\n`);
await using db = await openDatabase(JSON.parse(settings) as DatabaseSettings);
await using runs = createRuns(db, {
  log: createLog({ level: 'silent' }),
  leaseMs: Number(leaseMs),
  pollMs: 300,
});

async function execute(run: Run<Task, number>) {
  note(`began ${run.id}`);
  for (let unit = (run.checkpoint ?? 0) + 1; unit <= run.input.units; unit++) {
    await sleep(run.input.unitMs, undefined, { signal: run.signal });
    await db.transaction(async (tx) => {
      await tx.query('insert into faults.units values ($1, $2, $3)', [run.id, unit, process.pid]);
      await run.save(tx, { checkpoint: unit, progress: { done: unit, total: run.input.units } });
    });
    note(`unit ${run.id} ${unit}`);
  }
}

const kind = runs.define<Task, number, number>(units.kind, units.options, async (run) => {
  try {
    await execute(run);
  } catch (error) {
    note(`broken ${run.id} ${(run.signal.reason as { why?: string } | undefined)?.why ?? 'otherwise'}`);
    throw error;
  }
  const write = async (tx: Pick<typeof db, 'query'>) => {
    await tx.query('insert into faults.ends values ($1, $2)', [run.id, process.pid]);
  };
  return { completed: process.pid, write };
});
runs.define(poison.kind, poison.options, async ({ id }) => {
  note(`began ${id}`);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
});
await runs.start();
note('ready');
process.once('SIGTERM', () => void runs[Symbol.asyncDispose]().then(() => process.exit(0)));
for (;;) {
  await sleep(100);
  if (untilIdle === undefined) continue;
  const { queued, running } = await kind.queue({}, 1);
  if (queued.length + running.length === 0) break;
}
