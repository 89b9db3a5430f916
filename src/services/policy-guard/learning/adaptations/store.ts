import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { changeable, type Viewer, viewerParams } from '#identity/sharing.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { AdaptedPolicy, Adaptation, LabelledPolicy, LearnedPolicy } from './adaptation.ts';

/** What was learned for one policy, and by which engine. */
export interface StoredHead {
  readonly groupUuid: string;
  readonly policyId: string;
  readonly head: Head;
  readonly scale: number;
  readonly engineVersion: string;
}

type AdaptationRow = Omit<Adaptation, 'policies'> & Record<string, unknown>;
type PolicyRow = AdaptedPolicy & { adaptationId: string } & Record<string, unknown>;
type HeadRow = StoredHead & Record<string, unknown>;
type LabelledRow = LabelledPolicy & Record<string, unknown>;

const own = `g.guard_uuid = $4 and ${changeable('g')}`;

const selectAdaptation = `
  select a.adaptation_id as "adaptationId", a.version, a.created_at as "createdAt",
      g.active_adaptation_id is not distinct from a.adaptation_id as active
    from policy_guard.adaptations a join policy_guard.guards g using (guard_uuid)`;

async function withPolicies(db: Queries, rows: readonly AdaptationRow[]): Promise<Adaptation[]> {
  const policies = await db.query<PolicyRow>(
    `select adaptation_id as "adaptationId", group_uuid as "groupUuid", policy_id as "policyId",
        policy_name as name, json_array_length(examples) as "exampleCount", before, after
      from policy_guard.adapted_policies where adaptation_id = any($1::uuid[]) order by position`,
    [rows.map(({ adaptationId }) => adaptationId)],
  );
  return rows.map((row) => ({
    ...row,
    policies: policies.filter(({ adaptationId }) => adaptationId === row.adaptationId),
  }));
}

/** Newest first; the caller has checked access to the guard. */
export async function listAdaptations(db: Queries, guardUuid: string): Promise<Adaptation[]> {
  const rows = await db.query<AdaptationRow>(
    `${selectAdaptation} where guard_uuid = $1 order by a.version desc`,
    [guardUuid],
  );
  return withPolicies(db, rows);
}

/** One of the guard's adaptations. */
export async function findAdaptation(
  db: Queries,
  guardUuid: string,
  adaptationId: string,
): Promise<Adaptation | undefined> {
  const rows = await db.query<AdaptationRow>(
    `${selectAdaptation} where guard_uuid = $1 and adaptation_id = $2`,
    [guardUuid, adaptationId],
  );
  const [adaptation] = await withPolicies(db, rows);
  return adaptation;
}

/** The examples of an adaptation, by policy. */
export const listExamples = (db: Queries, adaptationId: string): Promise<LabelledPolicy[]> =>
  db.query<LabelledRow>(
    `select group_uuid as "groupUuid", policy_id as "policyId", policy_name as name, examples
      from policy_guard.adapted_policies where adaptation_id = $1 order by position`,
    [adaptationId],
  );

export const listHeads = (db: Queries, adaptationId: string): Promise<StoredHead[]> =>
  db.query<HeadRow>(
    `select group_uuid as "groupUuid", policy_id as "policyId", head, scale, engine_version as "engineVersion"
      from policy_guard.adapted_policies where adaptation_id = $1`,
    [adaptationId],
  );

/** Stores what another engine version learned from the same examples. */
export async function saveHeads(
  db: Queries,
  adaptationId: string,
  heads: readonly StoredHead[],
): Promise<void> {
  await db.query(
    `update policy_guard.adapted_policies p set head = r.head, engine_version = r."engineVersion"
      from json_to_recordset($2::json) as r("groupUuid" uuid, "policyId" text, head json, "engineVersion" text)
      where p.adaptation_id = $1 and p.group_uuid = r."groupUuid" and p.policy_id = r."policyId"`,
    [adaptationId, json(heads)],
  );
}

/**
 * The next version of an adaptation of a guard that the viewer may change, and how many the guard keeps; undefined where the guard has
 * gone meanwhile. The write to the guard holds others back until the transaction ends, so that numbers are given in turn.
 */
export async function takeVersion(
  tx: Queries,
  viewer: Viewer,
  guardUuid: string,
): Promise<{ version: number; kept: number } | undefined> {
  const [guard] = await tx.query<{ version: number }>(
    `update policy_guard.guards g set last_adaptation_version = last_adaptation_version + 1
      where ${own} returning last_adaptation_version as version`,
    [...viewerParams(viewer), guardUuid],
  );
  if (guard === undefined) return undefined;
  const [known] = await tx.query<{ kept: number }>(
    'select count(*) as kept from policy_guard.adaptations where guard_uuid = $1',
    [guardUuid],
  );
  return { version: guard.version, kept: known?.kept ?? 0 };
}

export interface NewAdaptation {
  readonly adaptationId: string;
  readonly guardUuid: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly policies: readonly LearnedPolicy[];
}

export async function insertAdaptation(tx: Queries, made: NewAdaptation): Promise<void> {
  await tx.query(
    'insert into policy_guard.adaptations (adaptation_id, guard_uuid, version, created_at) values ($1, $2, $3, $4)',
    [made.adaptationId, made.guardUuid, made.version, made.createdAt],
  );
  const rows = made.policies.map((policy, position) => ({ ...policy, position }));
  await tx.query(
    `insert into policy_guard.adapted_policies (adaptation_id, position, group_uuid, policy_id, policy_name, examples,
        before, after, head, scale, engine_version)
      select $1, r.position, r."groupUuid", r."policyId", r.name, r.examples, r.before, r.after, r.head, r.scale,
        r."engineVersion"
      from json_to_recordset($2::json) as r(position integer, "groupUuid" uuid, "policyId" text, name text,
        examples json, before json, after json, head json, scale double precision, "engineVersion" text)`,
    [made.adaptationId, json(rows)],
  );
}

/**
 * The guard judges by the adaptation from now on, or by none; false where it does so already. Its version rises, and
 * with it the key of its cached verdicts.
 */
export async function activateAdaptation(
  db: Queries,
  viewer: Viewer,
  guardUuid: string,
  adaptationId: string | null,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update policy_guard.guards g set active_adaptation_id = $5::uuid, version = version + 1, updated_at = $6
      where ${own} and active_adaptation_id is distinct from $5::uuid
        and ($5::uuid is null or exists (select from policy_guard.adaptations where adaptation_id = $5::uuid))
      returning 1 as done`,
    [...viewerParams(viewer), guardUuid, adaptationId, now],
  );
  return rows.length > 0;
}

/** Deletes an inactive adaptation of the guard; false if there is none. */
export async function deleteInactive(db: Queries, guardUuid: string, adaptationId: string): Promise<boolean> {
  const rows = await db.query(
    `delete from policy_guard.adaptations a using policy_guard.guards g
      where g.guard_uuid = a.guard_uuid and g.guard_uuid = $1 and a.adaptation_id = $2
        and g.active_adaptation_id is distinct from $2 returning 1 as done`,
    [guardUuid, adaptationId],
  );
  return rows.length > 0;
}
