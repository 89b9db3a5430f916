import type { Queries } from '../db/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SharedBuckets } from './shared-buckets.ts';

/** In the order of their keys, so that processes never wait for each other in a circle. */
const spendSql = `
  insert into limits.buckets as b (key, tokens, per_minute, at)
  select key, per_minute - spent, per_minute, clock_timestamp()
    from unnest($1::text[], $2::float8[], $3::float8[]) as s (key, per_minute, spent) order by key
  on conflict (key) do update set
    tokens = greatest(
      least(
        excluded.per_minute,
        b.tokens + greatest(0, extract(epoch from excluded.at - b.at)::float8) * excluded.per_minute / 60
      ) - (excluded.per_minute - excluded.tokens),
      -excluded.per_minute
    ),
    per_minute = excluded.per_minute,
    at = greatest(b.at, excluded.at)
  returning key, tokens`;

/** Time for one statement; what it saves is worth no longer wait. */
const timeoutMs = 1000;

/** Buckets in a table that is not written ahead: what it holds is worth a minute. */
export const postgresBuckets = (db: Queries): SharedBuckets => ({
  kind: 'postgres',
  timeoutMs,
  async spend(spent) {
    const rows = await db.query<{ key: string; tokens: number }>(spendSql, [
      spent.map(({ key }) => key),
      spent.map(({ perMinute }) => perMinute),
      spent.map(({ tokens }) => tokens),
    ]);
    const left = new Map(rows.map(({ key, tokens }) => [key, tokens]));
    return spent.map(({ key }) => left.get(key) ?? 0);
  },
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** Removes the buckets of callers without requests for so long that their buckets are full again. */
export async function scheduleBucketCleaning(db: Queries, jobs: Jobs): Promise<void> {
  await jobs.define('limits.clean', { timeoutSeconds: 600 }, async () => {
    await db.query(`delete from limits.buckets where at < clock_timestamp() - interval '5 minutes'`);
  });
  await jobs.schedule('limits.clean', { everySeconds: 600 });
}
