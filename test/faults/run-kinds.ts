/** Run kinds for tests of crashing, stalled and competing processes, and the processes that execute them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Database } from '#base/db/database.ts';
import { migrate } from '#base/db/migrate.ts';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import { createRuns, type Runs } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';

export interface Task {
  readonly units: number;
  readonly unitMs: number;
}

export const units = { kind: 'units', options: { concurrency: 1 } } as const;
export const poison = { kind: 'poison', options: { mostCrashes: 2 } } as const;
export const owner = { tenantId: 'tenant', userId: 'user' };

export interface Observed extends AsyncDisposable {
  readonly db: Database;
  readonly runs: Runs;
  readonly kind: RunKind<Task, number>;
}

/** The database with its tables, and a `Runs` that starts and watches runs but executes none. */
export async function observe(settings: DatabaseSettings): Promise<Observed> {
  const db = await openDatabase(settings);
  await migrate(db, [runMigrations], 'test');
  await db.script(`create schema if not exists faults;
    create table if not exists faults.units (run_id uuid, unit int, pid int);
    create table if not exists faults.ends (run_id uuid, pid int)`);
  const runs = createRuns(db, { log: createLog({ level: 'silent' }), pollMs: 200 });
  const kind = runs.define<Task, number>(units.kind, units.options, async () => ({ failed: 'not here' }));
  return {
    db,
    runs,
    kind,
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

const program = fileURLToPath(new URL('./run-worker.ts', import.meta.url));

/** A process that executes runs, and its output. */
export function startWorker(settings: DatabaseSettings, leaseMs = 30_000, ...more: 'until-idle'[]) {
  const child = spawn(process.execPath, [program, JSON.stringify(settings), String(leaseMs), ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines: string[] = [];
  const wanted = new Set<() => void>();
  const look = () => {
    for (const each of wanted) each();
  };
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      lines.push(line);
      look();
    })
    .on('close', look);
  return {
    pid: child.pid,
    lines,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    gone,
    /** Resolves after this many lines with this beginning. */
    noted: (start: string, count = 1) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (lines.filter((line) => line.startsWith(start)).length >= count) resolve();
          else if (child.stdout.destroyed) reject(new Error(`the worker ended before "${start}"`));
          else return;
          wanted.delete(check);
        };
        wanted.add(check);
        check();
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Waits until the run ends in any status, and returns it. */
export async function ended({ kind }: Observed, id: string) {
  for await (const _ of kind.watch(id, {}, AbortSignal.timeout(60_000)));
  return kind.find(id, {});
}

/** Units of a run, in the order in which they were written. */
export const unitsOf = async ({ db }: Observed, id: string) =>
  (
    await db.query<{ unit: number }>('select unit from faults.units where run_id = $1 order by ctid', [id])
  ).map(({ unit }) => unit);

export const endsOf = async ({ db }: Observed, id: string) =>
  (await db.query('select from faults.ends where run_id = $1', [id])).length;

export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
