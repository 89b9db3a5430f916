import type { Queries } from '#base/db/database.ts';

export interface Attempt {
  key: string;
  at: Date;
  /** Failures before this are forgotten. */
  since: Date;
  limit: number;
}

/**
 * Counts an attempt as a failure for now, in one statement, so that many at once cannot pass together.
 * Returns false where the limit is reached already.
 */
export async function takeAttempt(db: Queries, { key, at, since, limit }: Attempt): Promise<boolean> {
  const rows = await db.query(
    `insert into identity.login_failures as f (key, failed_at, last_at) values ($1, array[$2::timestamptz], $2)
     on conflict (key) do update set
       failed_at = array(select t from unnest(f.failed_at) t where t > $3) || excluded.failed_at, last_at = $2
     where (select count(*) from unnest(f.failed_at) t where t > $3) < $4
     returning key`,
    [key, at, since, limit],
  );
  return rows.length === 1;
}

/** The oldest failure that still counts. */
export async function findOldestFailure(db: Queries, key: string, since: Date): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    'select (select min(t) from unnest(failed_at) t where t > $2) as at from identity.login_failures where key = $1',
    [key, since],
  );
  return row?.at ?? undefined;
}

export async function deleteFailures(db: Queries, key: string): Promise<void> {
  await db.query('delete from identity.login_failures where key = $1', [key]);
}

export async function deleteFailuresBefore(db: Queries, at: Date): Promise<void> {
  await db.query('delete from identity.login_failures where last_at < $1', [at]);
}
