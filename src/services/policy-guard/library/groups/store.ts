import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { CompiledPolicy } from '#engine/text/types.ts';
import type { StoredHead } from '../exemplars/exemplar.ts';
import type { StoredTuning } from '../tunings/live-tunings.ts';
import { readable, viewerParams, type Viewer, type Visibility } from '#identity/sharing.ts';
import type { Policy, PolicyGroup } from '../policies/policy-group.ts';

/** A group that somebody made. */
export interface OwnedGroup extends PolicyGroup {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
}

/** A policy with what the engine made of it. */
export interface CompiledRow {
  policy: Policy;
  compiled: CompiledPolicy;
}

/** A group as the judge's cache loads it. */
export interface StoredGroup extends OwnedGroup {
  compiled: Record<
    string,
    {
      engineVersion: string;
      policy: CompiledPolicy;
      /** What it learned from exemplars. */
      learned: StoredHead | null;
      tuning: StoredTuning | null;
    }
  >;
}

export interface Page {
  limit: number;
  offset: number;
}

const columns = `
  g.group_uuid as "groupUuid", g.tenant_id as "tenantId", g.owner_id as "ownerId", g.visibility, g.name, g.description, g.threshold,
  g.strictness_level as "strictnessLevel", g.is_template as "isTemplate", g.version,
  g.created_at as "createdAt", g.updated_at as "updatedAt",
  -- In the same statement, so that policies and version are always of one write.
  (select coalesce(json_agg(json_build_object(
      'id', p.policy_id, 'name', p.name, 'description', p.description, 'blockActivities', p.block_activities,
      'safeActivities', p.safe_activities, 'enabled', p.enabled, 'detector', p.detector,
      'tuningId', p.tuning_id) order by p.position), '[]')
    from policy_guard.policies p where p.group_uuid = g.group_uuid) as policies`;

type GroupRow = OwnedGroup & Record<string, unknown>;

/** JSON has no undefined: a policy without a detector or a tuning comes with null. */
const withPolicies = <G extends PolicyGroup>(row: G): G => ({
  ...row,
  policies: row.policies.map(({ detector, tuningId, ...policy }) => ({
    ...policy,
    ...(detector && { detector }),
    ...(tuningId && { tuningId }),
  })),
});

/** A group that the viewer may read. */
export async function findReadableGroup(
  db: Queries,
  viewer: Viewer,
  groupUuid: string,
): Promise<OwnedGroup | undefined> {
  const [row] = await db.query<GroupRow>(
    `select ${columns} from policy_guard.policy_groups g where ${readable('g')} and g.group_uuid = $4`,
    [...viewerParams(viewer), groupUuid],
  );
  return row && withPolicies(row);
}

/** Which of the groups the viewer may read. */
export async function findReadableUuids(
  db: Queries,
  viewer: Viewer,
  groupUuids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ groupUuid: string }>(
    `select g.group_uuid as "groupUuid" from policy_guard.policy_groups g
      where ${readable('g')} and g.group_uuid = any($4::uuid[])`,
    [...viewerParams(viewer), groupUuids],
  );
  return rows.map(({ groupUuid }) => groupUuid);
}

/** Own groups and templates, all that may be read, or templates alone. */
export type Listed = 'me' | 'all' | 'templates';

const which: Record<Listed, string> = {
  me: `${readable('g')} and (g.owner_id = $2 or g.is_template)`,
  all: readable('g'),
  templates: `${readable('g')} and g.is_template`,
};

/** Own groups first, newest first, then those of others. */
export async function listGroups(
  db: Queries,
  viewer: Viewer,
  { limit, offset, listed }: Page & { listed: Listed },
): Promise<{ groups: PolicyGroup[]; total: number }> {
  const where = which[listed];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from policy_guard.policy_groups g where ${where}`,
    viewerParams(viewer),
  );
  const rows = await db.query<GroupRow>(
    `select ${columns} from policy_guard.policy_groups g where ${where}
      order by (g.owner_id = $2) desc, g.created_at desc, g.group_uuid desc limit $4 offset $5`,
    [...viewerParams(viewer), limit, offset],
  );
  return { groups: rows.map(withPolicies), total: counted?.total ?? 0 };
}

/** The group, held against other writes until the transaction ends. */
export async function lockReadableGroup(
  tx: Queries,
  viewer: Viewer,
  groupUuid: string,
): Promise<OwnedGroup | undefined> {
  // The lock comes first: the read after it sees what the write before us left.
  await tx.query('select from policy_guard.policy_groups where group_uuid = $1 for update', [groupUuid]);
  return findReadableGroup(tx, viewer, groupUuid);
}

/** Holds groups against deletion until the transaction ends; those that are gone are left out. */
export async function holdGroups(tx: Queries, groupUuids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ groupUuid: string }>(
    `select group_uuid as "groupUuid" from policy_guard.policy_groups
      where group_uuid = any($1::uuid[]) order by group_uuid for key share`,
    [groupUuids],
  );
  return rows.map(({ groupUuid }) => groupUuid);
}

/** A new group without its policies, which {@link savePolicies} adds. */
export async function insertGroup(tx: Queries, group: OwnedGroup): Promise<void> {
  await tx.query(
    `insert into policy_guard.policy_groups (group_uuid, tenant_id, owner_id, name, description, threshold,
      strictness_level, is_template, version, created_at, updated_at, visibility)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      group.groupUuid,
      group.tenantId,
      group.ownerId,
      group.name,
      group.description,
      group.threshold,
      group.strictnessLevel,
      group.isTemplate,
      group.version,
      group.createdAt,
      group.updatedAt,
      group.visibility,
    ],
  );
}

/** The group's own fields, its version and its time; not its policies. */
export async function updateGroup(tx: Queries, group: PolicyGroup): Promise<void> {
  await tx.query(
    `update policy_guard.policy_groups set name = $2, description = $3, threshold = $4, strictness_level = $5,
      is_template = $6, version = $7, updated_at = $8, visibility = $9 where group_uuid = $1`,
    [
      group.groupUuid,
      group.name,
      group.description,
      group.threshold,
      group.strictnessLevel,
      group.isTemplate,
      group.version,
      group.updatedAt,
      group.visibility,
    ],
  );
}

/** Makes the stored list the group's list: `changed` are written, those not in the list go, the order is the list's. */
export async function savePolicies(
  tx: Queries,
  group: Pick<PolicyGroup, 'groupUuid' | 'policies'>,
  changed: readonly CompiledRow[],
): Promise<void> {
  const ids = group.policies.map(({ id }) => id);
  await tx.query('delete from policy_guard.policies where group_uuid = $1 and policy_id <> all($2::uuid[])', [
    group.groupUuid,
    ids,
  ]);
  if (changed.length > 0) await upsertPolicies(tx, group.groupUuid, changed);
  await tx.query(
    `update policy_guard.policies p set position = o.position
      from unnest($2::uuid[]) with ordinality as o(policy_id, position)
      where p.group_uuid = $1 and p.policy_id = o.policy_id and p.position <> o.position`,
    [group.groupUuid, ids],
  );
}

async function upsertPolicies(tx: Queries, groupUuid: string, changed: readonly CompiledRow[]) {
  const rows = changed.map(({ policy, compiled }) => ({
    ...policy,
    compiled,
    engineVersion: compiled.engineVersion,
  }));
  await tx.query(
    `insert into policy_guard.policies (policy_id, group_uuid, position, name, description, block_activities,
        safe_activities, enabled, detector, tuning_id, compiled, engine_version)
      select r.id, $1, 0, r.name, r.description, r."blockActivities", r."safeActivities", r.enabled, r.detector,
        r."tuningId", r.compiled, r."engineVersion"
      from json_to_recordset($2::json) as r(id uuid, name text, description text, "blockActivities" json,
        "safeActivities" json, enabled boolean, detector text, "tuningId" uuid,
        compiled json, "engineVersion" text)
      on conflict (policy_id) do update set name = excluded.name, description = excluded.description,
        block_activities = excluded.block_activities, safe_activities = excluded.safe_activities,
        enabled = excluded.enabled, tuning_id = excluded.tuning_id, compiled = excluded.compiled,
        engine_version = excluded.engine_version`,
    [groupUuid, json(rows)],
  );
}

/** With its policies and its history; its name is kept. */
export async function deleteGroup(tx: Queries, groupUuid: string, at: Date): Promise<void> {
  await tx.query(
    `insert into policy_guard.former_names (id, tenant_id, name, deleted_at)
      select group_uuid, tenant_id, name, $2 from policy_guard.policy_groups where group_uuid = $1
      on conflict do nothing`,
    [groupUuid, at],
  );
  await tx.query('delete from policy_guard.policy_groups where group_uuid = $1', [groupUuid]);
}

/** Gives a group the tunings that its policies name, from whichever group they were copied. */
export async function copyTunings(
  tx: Queries,
  { groupUuid, policies }: Pick<PolicyGroup, 'groupUuid' | 'policies'>,
): Promise<void> {
  const tuningIds = policies.flatMap(({ tuningId }) => tuningId ?? []);
  if (tuningIds.length === 0) return;
  await tx.query(
    `insert into policy_guard.policy_tunings (group_uuid, tuning_id, scale, shift, head, engine_version, examples,
        everyday, exemplars_at, created_at)
      select distinct on (tuning_id) $1::uuid, tuning_id, scale, shift, head, engine_version, examples, everyday,
        exemplars_at, created_at
      from policy_guard.policy_tunings where tuning_id = any($2::uuid[]) order by tuning_id, created_at`,
    [groupUuid, tuningIds],
  );
}

const compiledColumns = `${columns},
      (select coalesce(json_object_agg(p.policy_id,
          json_build_object('engineVersion', p.engine_version, 'policy', p.compiled, 'learned',
            case when e.head is not null then json_build_object('head', e.head, 'engineVersion', e.engine_version,
              'writtenAt', e.updated_at) end, 'tuning', case when t.head is not null then json_build_object(
              'tuningId', t.tuning_id, 'head', t.head, 'scale', t.scale, 'engineVersion', t.engine_version,
              'exemplarsAt', t.exemplars_at) end)), '{}')
        from policy_guard.policies p left join policy_guard.policy_exemplars e using (policy_id)
        left join policy_guard.policy_tunings t on t.group_uuid = p.group_uuid and t.tuning_id = p.tuning_id
        where p.group_uuid = g.group_uuid) as compiled`;

/** A group of any owner in the tenant, with its compiled policies. */
export async function findCompiledGroup(
  db: Queries,
  tenantId: string,
  groupUuid: string,
): Promise<StoredGroup | undefined> {
  const [row] = await db.query<StoredGroup & Record<string, unknown>>(
    `select ${compiledColumns} from policy_guard.policy_groups g where g.tenant_id = $1 and g.group_uuid = $2`,
    [tenantId, groupUuid],
  );
  return row && withPolicies(row);
}

/** The names of groups of the tenant, those that were deleted too. */
export const listGroupNames = (
  db: Queries,
  tenantId: string,
  groupUuids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.query<{ id: string; name: string }>(
    `select group_uuid::text as id, name from policy_guard.policy_groups
        where tenant_id = $1 and group_uuid = any($2::uuid[])
      union all
      select id, name from policy_guard.former_names where tenant_id = $1 and id = any($2::text[])`,
    [tenantId, groupUuids],
  );

/** Groups of any tenant, with their compiled policies: the caller must check access. */
export async function listCompiledGroupsOfAny(
  db: Queries,
  groupUuids: readonly string[],
): Promise<StoredGroup[]> {
  if (groupUuids.length === 0) return [];
  const rows = await db.query<StoredGroup & Record<string, unknown>>(
    `select ${compiledColumns} from policy_guard.policy_groups g where g.group_uuid = any($1::uuid[])`,
    [groupUuids],
  );
  return rows.map(withPolicies);
}

/** Stores policies compiled by a newer engine, unless the group was written since. */
export async function saveRecompiled(
  db: Queries,
  group: Pick<PolicyGroup, 'groupUuid' | 'version'>,
  compiled: readonly { id: string; compiled: CompiledPolicy }[],
): Promise<void> {
  await db.query(
    `update policy_guard.policies p set compiled = r.compiled, engine_version = r.compiled->>'engineVersion'
      from json_to_recordset($3::json) as r(id uuid, compiled json)
      where p.policy_id = r.id and p.group_uuid = $1
        and exists (select from policy_guard.policy_groups g where g.group_uuid = $1 and g.version = $2)`,
    [group.groupUuid, group.version, json(compiled)],
  );
}
