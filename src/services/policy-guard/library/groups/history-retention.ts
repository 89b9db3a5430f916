import type { Queries } from '#base/db/database.ts';

/** So many versions of a group stay however old they are: there is always something to go back to. */
const kept = 20;

/** Deletes at most `limit` of the oldest versions from before a moment; returns how many. */
export async function deleteVersionsBefore(db: Queries, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    `delete from policy_guard.policy_group_history where (group_uuid, version) in (
        select h.group_uuid, h.version from policy_guard.policy_group_history h
          where h.changed_at < $1 and h.version <= (
            select max(newest.version) - $3::int from policy_guard.policy_group_history newest
              where newest.group_uuid = h.group_uuid)
          order by h.changed_at limit $2) returning 1 as gone`,
    [before, limit, kept],
  );
  return gone.length;
}
