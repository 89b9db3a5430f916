/** Encrypts secrets at rest with a new key, and finds those that still need an old one. */
import { hash } from 'node:crypto';
import type { Database, Queries } from '../db/database.ts';
import type { SealedColumn } from './sealed-column.ts';
import type { Vault } from './vault.ts';

const batchRows = 200;

interface SealedRow {
  readonly keys: readonly unknown[];
  readonly sealed: Buffer;
  readonly place: string;
}

/** How many secrets of a column. */
export interface SealCount {
  readonly where: string;
  readonly count: number;
}

export interface Resealed {
  readonly resealed: number;
  /** Rows that were changed meanwhile: they must be looked at again. */
  readonly missed: number;
  /** Secrets that no key opens. */
  readonly lost: readonly SealCount[];
  /** A fingerprint of each of {@link lost}. */
  readonly fingerprints: readonly string[];
}

/** Distinguishes sealed secrets, which are random. */
const fingerprintOf = (sealed: Buffer): string => hash('sha256', sealed, 'base64url').slice(0, 22);

/** Services of other processes may have no tables yet. */
async function exists(db: Queries, { table, column }: SealedColumn): Promise<boolean> {
  const rows = await db.query(
    'select 1 as found from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped',
    [table, column],
  );
  return rows.length > 0;
}

async function* rowsOf(db: Queries, sealedColumn: SealedColumn): AsyncGenerator<SealedRow[]> {
  const { table, column, keys, place } = sealedColumn;
  if (!(await exists(db, sealedColumn))) return;
  const list = keys.join(', ');
  const values = keys.map((_, i) => `$${i + 1}`).join(', ');
  let after: readonly unknown[] = [];
  for (;;) {
    const rows = await db.query<Record<string, unknown>>(
      `select ${list}, ${column} as "sealedSecret" from ${table}
        where ${column} is not null ${after.length > 0 ? `and (${list}) > (${values})` : ''}
        order by ${list} limit ${batchRows}`,
      after,
    );
    const found = rows.map((row) => {
      const own = keys.map((key) => row[key]);
      return { keys: own, sealed: row['sealedSecret'] as Buffer, place: place(...own.map(String)) };
    });
    if (found.length > 0) yield found;
    after = found.at(-1)?.keys ?? [];
    if (found.length < batchRows) return;
  }
}

/**
 * Encrypts what the previous key opens with the current one, a batch of rows at a time. It can be broken off and begun
 * anew, and run in several processes at once: a row that somebody changed meanwhile is left as it is.
 */
export async function resealAll(
  db: Database,
  columns: readonly SealedColumn[],
  vault: Vault,
  signal: AbortSignal,
): Promise<Resealed> {
  let resealed = 0;
  let missed = 0;
  const lost: SealCount[] = [];
  const fingerprints: string[] = [];
  for (const column of columns) {
    const before = fingerprints.length;
    for await (const rows of rowsOf(db, column)) {
      signal.throwIfAborted();
      for (const row of rows) {
        const key = vault.keyOf(row.sealed, row.place);
        if (key === undefined) fingerprints.push(fingerprintOf(row.sealed));
        if (key !== 'previous') continue;
        if (await replace(db, column, row, vault)) resealed++;
        else missed++;
      }
    }
    if (fingerprints.length > before)
      lost.push({ where: nameOf(column), count: fingerprints.length - before });
  }
  return { resealed, missed, lost, fingerprints };
}

async function replace(
  db: Queries,
  { table, column, keys }: SealedColumn,
  { keys: values, sealed, place }: SealedRow,
  vault: Vault,
): Promise<boolean> {
  const mine = keys.map((key, i) => `${key} = $${i + 3}`).join(' and ');
  const rows = await db.query(
    `update ${table} set ${column} = $1 where ${column} = $2 and ${mine} returning 1 as done`,
    [vault.seal(vault.open(sealed, place), place), sealed, ...values],
  );
  return rows.length > 0;
}

/** Secrets that this process cannot open, by column; without those that were known to be lost. */
export async function unopened(
  db: Queries,
  columns: readonly SealedColumn[],
  vault: Vault,
  lost: ReadonlySet<string>,
): Promise<SealCount[]> {
  const counts: SealCount[] = [];
  for (const column of columns) {
    let count = 0;
    for await (const rows of rowsOf(db, column))
      count += rows.filter(
        ({ sealed, place }) => vault.keyOf(sealed, place) === undefined && !lost.has(fingerprintOf(sealed)),
      ).length;
    if (count > 0) counts.push({ where: nameOf(column), count });
  }
  return counts;
}

const nameOf = ({ table, column }: SealedColumn): string => `${table} (${column})`;

export const inWords = (counts: readonly SealCount[]): string =>
  counts.map(({ where, count }) => `${count} in ${where}`).join(', ');

export const totalOf = (counts: readonly SealCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);
