/** Ensures that all processes on one database have the same secrets, by check values in the database. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config/secret.ts';
import type { Database, Queries } from '../db/database.ts';
import { StartupError } from '../errors.ts';

/** A secret that every process of the deployment must share. */
export interface SharedKey {
  readonly name: 'jwt' | 'secrets-at-rest';
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly secret: string;
  /** The one it replaces, during a rotation. */
  readonly previous: Secret | undefined;
  readonly previousVariable: string;
  /** The consequence of a different secret, for the error message. */
  readonly harm: string;
}

/** Advisory lock that serializes checks: the first bytes of "keycheck". */
const lockKey = 0x6b657963;

const checkTable = `
  create schema if not exists bulwark;
  create table if not exists bulwark.key_checks (
    name text primary key,
    check_value bytea not null,
    changed_at timestamptz not null default now()
  );
  -- Keys of secrets at rest that were replaced, until a start without them has found no secret that needs them.
  create table if not exists bulwark.replaced_keys (
    check_value bytea primary key,
    begun_at timestamptz not null default now(),
    -- Fingerprints of secrets that neither key opened.
    lost text[] not null default '{}'
  )`;

/** Reveals only whether two secrets are equal: they are random or have at least 32 characters. */
export const checkValueOf = (name: SharedKey['name'], secret: string): Buffer =>
  createHmac('sha256', secret).update(`bulwark key check 1: ${name}`).digest();

type Row = { name: string; checkValue: Buffer };

const readChecks = (db: Queries): Promise<Row[]> =>
  db.query<Row>('select name, check_value as "checkValue" from bulwark.key_checks');

const isSame = (a: Buffer | undefined, b: Buffer): boolean =>
  a !== undefined && a.length === b.length && timingSafeEqual(a, b);

/** Whether the database has exactly these keys. */
export async function keysAgree(db: Queries, keys: readonly SharedKey[]): Promise<boolean> {
  const rows = await readChecks(db);
  return keys.every(({ name, secret }) =>
    isSame(rows.find((row) => row.name === name)?.checkValue, checkValueOf(name, secret)),
  );
}

/** Whether a process with this check value has the key that the database is used with; true where none is recorded. */
export async function isCurrentKey(db: Queries, check: Buffer): Promise<boolean> {
  const [found] = await db.query<{ table: string | null }>(
    `select to_regclass('bulwark.key_checks')::text as table`,
  );
  if (found?.table === null) return true;
  const known = (await readChecks(db)).find(({ name }) => name === 'secrets-at-rest')?.checkValue;
  return known === undefined || isSame(known, check);
}

/**
 * Records the keys of the first process and compares those of all others. A key whose predecessor is the recorded
 * one replaces it.
 * @param acceptNew accepts this process's keys, since the old ones are lost
 * @throws StartupError that names the setting of a differing key.
 */
export async function checkKeys(
  db: Database,
  keys: readonly SharedKey[],
  { acceptNew }: { acceptNew: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1::int8)', [lockKey]);
    await tx.script(checkTable);
    const rows = await readChecks(tx);
    for (const key of keys) {
      const wanted = checkValueOf(key.name, key.secret);
      const known = rows.find((row) => row.name === key.name)?.checkValue;
      await noteReplaced(tx, key, { acceptNew });
      if (isSame(known, wanted)) continue;
      if (known !== undefined && !acceptNew && !isSuccessor(key, known)) throw refusal(key);
      await tx.query(
        `insert into bulwark.key_checks (name, check_value) values ($1, $2)
         on conflict (name) do update set check_value = excluded.check_value, changed_at = now()`,
        [key.name, wanted],
      );
    }
  });
}

/** What the previous key of secrets at rest sealed is to be sealed anew; what a lost one sealed cannot be. */
async function noteReplaced(
  tx: Queries,
  { name, secret, previous }: SharedKey,
  { acceptNew }: { acceptNew: boolean },
): Promise<void> {
  if (name !== 'secrets-at-rest') return;
  if (acceptNew) await tx.query('delete from bulwark.replaced_keys');
  if (previous === undefined || previous.reveal() === secret) return;
  await tx.query('insert into bulwark.replaced_keys (check_value) values ($1) on conflict do nothing', [
    checkValueOf(name, previous.reveal()),
  ]);
}

const isSuccessor = ({ name, previous }: SharedKey, known: Buffer): boolean =>
  previous !== undefined && isSame(known, checkValueOf(name, previous.reveal()));

const refusal = ({ name, variable, previousVariable, harm }: SharedKey): StartupError =>
  new StartupError(
    `${variable} is not the secret that this database was used with so far (without it, the one in the file ` +
      `secrets/${name} of the data directory): ${harm} Use the same secret in every process. To change it on purpose, set ` +
      `${previousVariable} to the old one; if the old one is lost, start once with BULWARK_ACCEPT_NEW_KEYS=true.`,
  );
