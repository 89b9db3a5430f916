import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '#base/errors.ts';
import type { Database, Queries } from './database.ts';

export interface MigrationSet {
  /** The PostgreSQL schema that the service owns; created if missing. */
  schema: string;
  /** The absolute path of a folder with `0001_name.sql` …; unqualified names in them refer to the schema. */
  folder: string;
}

export interface Migration {
  schema: string;
  name: string;
  sql: string;
  sha256: string;
}

type Applied = { schema: string; name: string; sha256: string; app_version: string };

/** Advisory lock that serializes migrations of one database: the first bytes of "bulwark". */
const lockKey = 0x62756c77;

/**
 * Migrates each schema to its newest version, each file in its own transaction, in order of their names.
 * Safe if several processes run it at once on one PostgreSQL.
 *
 * Throws `StartupError` if an applied file has changed since, or if the database has a migration that
 * this version does not know: a newer version applied it.
 */
export async function migrate(
  db: Database,
  sets: readonly MigrationSet[],
  appVersion: string,
): Promise<void> {
  const wanted = await readMigrations(sets);
  if (wanted.length === 0) return;
  const schemas = sets.map(({ schema }) => schema);
  const pendingNow = async (queries: Queries) =>
    pending(wanted, await readApplied(queries, schemas), appVersion);
  if (await hasRecord(db)) if ((await pendingNow(db)).length === 0) return;
  while (await db.transaction((tx) => applyNext(tx, pendingNow, appVersion)));
}

/** The migrations of the sets, read once: for {@link areApplied}. */
export const readMigrations = async (sets: readonly MigrationSet[]): Promise<Migration[]> =>
  (await Promise.all(sets.map(readSet))).flat();

/** Whether all are applied. The database may have more, from a newer version during a rolling update. */
export async function areApplied(db: Queries, migrations: readonly Migration[]): Promise<boolean> {
  const schemas = [...new Set(migrations.map(({ schema }) => schema))];
  const applied = await readApplied(db, schemas);
  return migrations.every(({ schema, name, sha256 }) =>
    applied.some((each) => each.schema === schema && each.name === name && each.sha256 === sha256),
  );
}

/** Applies the first missing migration; returns whether there may be more. */
async function applyNext(
  tx: Queries,
  pendingNow: (tx: Queries) => Promise<Migration[]>,
  appVersion: string,
): Promise<boolean> {
  // It may wait for another process or rewrite a large table; the timeout is meant for requests.
  await tx.query('set local statement_timeout = 0');
  await tx.query('select pg_advisory_xact_lock($1::int8)', [lockKey]);
  await tx.script(recordTable);
  const [next, ...more] = await pendingNow(tx);
  if (next === undefined) return false;
  await tx.script(
    `create schema if not exists "${next.schema}"; set local search_path to "${next.schema}", public`,
  );
  try {
    await tx.script(next.sql);
  } catch (error) {
    throw new Error(`Migration ${next.schema}/${next.name} failed: ${String(error)}`, { cause: error });
  }
  await tx.query(
    'insert into bulwark.migrations (schema, name, sha256, app_version) values ($1, $2, $3, $4)',
    [next.schema, next.name, next.sha256, appVersion],
  );
  return more.length > 0;
}

const recordTable = `
  create schema if not exists bulwark;
  create table if not exists bulwark.migrations (
    schema text not null,
    name text not null,
    sha256 text not null,
    app_version text not null,
    applied_at timestamptz not null default now(),
    primary key (schema, name)
  )`;

async function hasRecord(db: Queries): Promise<boolean> {
  const [row] = await db.query(`select to_regclass('bulwark.migrations') is not null as there`);
  return row?.['there'] === true;
}

const readApplied = (db: Queries, schemas: readonly string[]) =>
  db.query<Applied>(
    'select schema, name, sha256, app_version from bulwark.migrations where schema = any($1) order by name',
    [schemas],
  );

/** Migrations still to be applied; refuses a database that these files cannot have produced. */
function pending(wanted: readonly Migration[], applied: readonly Applied[], appVersion: string): Migration[] {
  const key = ({ schema, name }: { schema: string; name: string }) => `${schema}/${name}`;
  const files = new Map(wanted.map((each) => [key(each), each]));
  for (const each of applied) {
    const file = files.get(key(each));
    if (file === undefined)
      throw new StartupError(
        `The database was written by a newer version (${each.app_version}; this is ${appVersion}): ` +
          `it has the migration ${key(each)}, which is unknown here. Start that version or a newer one, ` +
          'or choose another database (BULWARK_DATA_DIR or BULWARK_DATABASE_URL).',
      );
    if (file.sha256 !== each.sha256)
      throw new StartupError(
        `The migration ${key(each)} has changed since version ${each.app_version} applied it. ` +
          'Restore the file and put the change into a new migration.',
      );
  }
  const done = new Set(applied.map(key));
  return wanted.filter((each) => !done.has(key(each)));
}

/** The files of one set, in order. */
export async function readSet({ schema, folder }: MigrationSet): Promise<Migration[]> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError(`"${schema}" is not a valid schema name.`);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, i) => {
      if (!/^\d{4}_[a-z0-9_-]+\.sql$/.test(name) || Number(name.slice(0, 4)) !== i + 1)
        throw new TypeError(`${join(folder, name)}: migrations are numbered 0001_name.sql, 0002_name.sql …`);
      // Line endings may differ between checkouts.
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      if (/^\s*(?:begin|start transaction|commit|rollback)\s*;/im.test(sql))
        throw new TypeError(`${join(folder, name)}: a migration runs in a transaction already.`);
      return { schema, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
