import { createHash, randomUUID } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import type { Database } from './database.ts';
import { migrate, type MigrationSet, readSet } from './migrate.ts';
import { type DatabaseSettings, openDatabase } from './open.ts';
import { PgliteDatabase } from './pglite-database.ts';
import { engineHere } from './pglite-engine.ts';
import { startInMemory, startParams } from './pglite-start.ts';

/* oxlint-disable node/no-process-env -- which database the tests run on is chosen by the test runner alone; this
   file is imported by tests only, never by the program. */
const onPostgres = () => process.env['BULWARK_TEST_DATABASE'] === 'postgres';
const serverUrl = () =>
  process.env['BULWARK_TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
/* oxlint-enable node/no-process-env */

/** Done to an embedded database before it is copied for each test file. */
export interface Preparation {
  /** Changes whenever `run` does something else. */
  readonly name: string;
  readonly run: (db: Database) => Promise<void>;
}

/**
 * A separate database for one test file, with the sets applied; deleted when disposed. In memory by default;
 * on the server of `BULWARK_TEST_DATABASE_URL` with `BULWARK_TEST_DATABASE=postgres`.
 * @param preparation what the program would do at its start anyway; done once for all test files, where it can be
 */
export async function openTestDatabase(
  sets: readonly MigrationSet[] = [],
  preparation?: Preparation,
): Promise<Database> {
  if (!onPostgres()) return openCopy(sets, preparation);
  const template = await makeTemplate(sets, preparation);
  const { settings, [Symbol.asyncDispose]: remove } = await makeOnServer(template);
  const db = await openDatabase(settings);
  const close = db[Symbol.asyncDispose].bind(db);
  return Object.assign(db, {
    async [Symbol.asyncDispose]() {
      await close();
      await remove();
    },
  });
}

/** The database with some methods replaced. A copy by `{ ...db }` would lose the others, which a class defines. */
export const databaseWith = (db: Database, replaced: Partial<Database>): Database => ({
  kind: db.kind,
  query: (sql, params) => db.query(sql, params),
  copy: (table, columns, rows) => db.copy(table, columns, rows),
  script: (sql) => db.script(sql),
  connections: () => db.connections(),
  transaction: (run) => db.transaction(run),
  listen: (channel, onMessage, onGap) => db.listen(channel, onMessage, onGap),
  notify: (channel, payload) => db.notify(channel, payload),
  [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  ...replaced,
});

export interface TestDatabaseSettings extends AsyncDisposable {
  settings: DatabaseSettings;
}

/** Settings of an empty database that can be opened repeatedly, on disk or on the server; deleted when disposed. */
export async function makeTestDatabase(): Promise<TestDatabaseSettings> {
  if (onPostgres()) return makeOnServer();
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-test-'));
  return {
    settings: { dataDir },
    [Symbol.asyncDispose]: async () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function onServer(sql: string) {
  await using server = await openDatabase({ url: serverUrl(), dataDir: '', poolSize: 1 });
  return await server.query<{ datname: string }>(sql);
}

function settingsOnServer(name: string): DatabaseSettings {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return { url: url.href, dataDir: '' };
}

async function makeOnServer(template = 'template0'): Promise<TestDatabaseSettings> {
  const name = `bulwark_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template ${template} encoding 'UTF8'`);
  // No test crashes the server, so none needs to wait for its disk at each commit.
  await onServer(`alter database ${name} set synchronous_commit = off`);
  return {
    settings: settingsOnServer(name),
    [Symbol.asyncDispose]: async () => void (await onServer(`drop database if exists ${name} with (force)`)),
  };
}

const exists = async (name: string): Promise<boolean> =>
  (await onServer(`select datname from pg_database where datname = '${name}'`)).length > 0;

/** The name of a database on the server that has the sets applied, to be copied; made if there is none yet. */
async function makeTemplate(sets: readonly MigrationSet[], preparation?: Preparation): Promise<string> {
  const name = `bulwark_template_${await fingerprint(sets, preparation)}`;
  if (await exists(name)) return name;
  const kept = await onServer(
    "select datname from pg_database where datname like 'bulwark_template_%' order by oid desc",
  );
  // The oldest ones, of code that has changed since.
  for (const { datname } of kept.slice(keptDumps)) await onServer(`drop database if exists ${datname}`);
  await using made = await makeOnServer();
  {
    await using db = await openDatabase(made.settings);
    await migrate(db, sets, 'test');
    await preparation?.run(db);
  }
  const madeName = new URL(made.settings.url ?? '').pathname.slice(1);
  // Another process may have made it in the meantime.
  await onServer(`alter database ${madeName} rename to ${name}`).catch(async (error: unknown) => {
    if (!(await exists(name))) throw error;
  });
  return name;
}

/** Shown in the output of the test. */
const onWarning = (message: string) => process.emitWarning(message);

/** Dumps of migrated databases: loading one takes a quarter of the time of creating one. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/bulwark-test-databases', import.meta.url));
/** More than there are combinations of sets in the tests: with fewer, each file would make again what another has just cleared away. */
const keptDumps = 24;

const openCopy = async (sets: readonly MigrationSet[], preparation?: Preparation): Promise<Database> =>
  new PgliteDatabase(engineHere(await openCopied(sets, preparation)), { onWarning });

async function openCopied(sets: readonly MigrationSet[], preparation?: Preparation): Promise<PGlite> {
  const dump = join(cache, `${await fingerprint(sets, preparation)}.tar`);
  if (existsSync(dump)) {
    try {
      return await startInMemory(await openAsBlob(dump));
    } catch {
      // Another process removed it, or it is damaged: create it again.
      await rm(dump, { force: true });
    }
  }
  const pglite = sets.length === 0 ? await startSmall() : await openCopied([]);
  // Not closed here: only the copy is.
  const db = new PgliteDatabase(engineHere(pglite), { onWarning });
  await migrate(db, sets, 'test');
  await preparation?.run(db);
  await pglite.exec('checkpoint');
  await keep(dump, await pglite.dumpDataDir('none'));
  return pglite;
}

/** Without the template databases, which no test needs, a dump has half as many files and loads in 60 % of the time. */
async function startSmall(): Promise<PGlite> {
  const pglite = await startInMemory();
  await pglite.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`);
  return pglite;
}

/** Writes a dump atomically; removes old ones. */
async function keep(dump: string, content: Blob): Promise<void> {
  await mkdir(cache, { recursive: true });
  const unfinished = `${dump}.${randomUUID()}`;
  await writeFile(unfinished, content.stream());
  await rename(unfinished, dump);
  const files = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const path = join(cache, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
      return { path, mtimeMs };
    }),
  );
  const old = files.sort((a, b) => b.mtimeMs - a.mtimeMs).slice(keptDumps);
  for (const { path } of old) await rm(path, { force: true });
}

/** Changes with PGlite and with every byte of the migrations. */
async function fingerprint(sets: readonly MigrationSet[], preparation?: Preparation): Promise<string> {
  const pglitePackage = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(await readFile(pglitePackage, 'utf8')) as { version: string };
  const migrations = (await Promise.all(sets.map(readSet))).flat();
  return createHash('sha256')
    .update(JSON.stringify([version, startParams, 'small', migrations, preparation?.name]))
    .digest('hex')
    .slice(0, 32);
}
