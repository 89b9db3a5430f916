import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { Example } from '../heads/example.ts';

/** What a tuning is learned from. */
export interface TuningLesson {
  readonly examples: readonly Example[];
  /** Whether ordinary messages were used besides them. */
  readonly everyday: boolean;
  readonly scale: number | null;
  /** Added to the bias of what is learned. */
  readonly shift: number;
}

export interface NewTuning extends TuningLesson {
  readonly tuningId: string;
  readonly head: Head;
  readonly engineVersion: string;
  readonly exemplarsAt: string | null;
  /** The tuning that it only shifts: what that was learned from, this one is learned from too. */
  readonly shifts: string | null;
}

interface Key {
  readonly groupUuid: string;
  readonly tuningId: string;
}

export async function insertTuning(
  tx: Queries,
  groupUuid: string,
  made: NewTuning,
  now: Date,
): Promise<void> {
  const { tuningId, head, engineVersion, examples, everyday, exemplarsAt, scale, shift, shifts } = made;
  if (shifts !== null) {
    await tx.query(
      `insert into policy_guard.policy_tunings (group_uuid, tuning_id, scale, shift, head, engine_version, examples,
          everyday, exemplars_at, created_at)
        select group_uuid, $3, scale, shift + $4, $5, $6, examples, everyday, exemplars_at, $7
        from policy_guard.policy_tunings where group_uuid = $1 and tuning_id = $2`,
      [groupUuid, shifts, tuningId, shift, json(head), engineVersion, now],
    );
    return;
  }
  await tx.query(
    `insert into policy_guard.policy_tunings (group_uuid, tuning_id, scale, shift, head, engine_version, examples,
        everyday, exemplars_at, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      groupUuid,
      tuningId,
      scale,
      shift,
      json(head),
      engineVersion,
      json(examples),
      everyday,
      exemplarsAt,
      now,
    ],
  );
}

export async function findTuningLesson(
  db: Queries,
  groupUuid: string,
  tuningId: string,
): Promise<TuningLesson | undefined> {
  const [row] = await db.query<TuningLesson & Record<string, unknown>>(
    `select examples, everyday, scale, shift from policy_guard.policy_tunings
      where group_uuid = $1 and tuning_id = $2`,
    [groupUuid, tuningId],
  );
  return row;
}

/** What another engine learned from the same examples. */
export async function saveTuningHead(
  db: Queries,
  { groupUuid, tuningId }: Key,
  head: Head,
  engineVersion: string,
): Promise<void> {
  await db.query(
    `update policy_guard.policy_tunings set head = $3, engine_version = $4 where group_uuid = $1 and tuning_id = $2`,
    [groupUuid, tuningId, json(head), engineVersion],
  );
}
