import type { Queries } from '#base/db/database.ts';
import {
  changeable,
  listed,
  listParams,
  type OwnerFilter,
  type Viewer,
  viewerParams,
} from '#identity/sharing.ts';
import type { Guard } from './guard.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

type Row = Guard & Record<string, unknown>;

const selectGuard = `
  select guard_uuid as "guardUuid", tenant_id as "tenantId", owner_id as "ownerId", name, description,
    policy_group_uuids as "policyGroupUuids", policy_group_overrides as "policyGroupOverrides", enabled,
    json_build_object('maxTextLength', max_text_length, 'cacheEnabled', cache_enabled, 'logRequests', log_requests,
      'overflow', overflow, 'mode', mode, 'logText', log_text, 'engine', engine, 'failMode', fail_mode,
      'redact', redact) as settings,
    visibility, version, active_adaptation_id as "activeAdaptationId", created_at as "createdAt", updated_at as "updatedAt"
  from policy_guard.guards g`;

const columns = [
  'guard_uuid',
  'tenant_id',
  'owner_id',
  'name',
  'description',
  'policy_group_uuids',
  'policy_group_overrides',
  'enabled',
  'max_text_length',
  'cache_enabled',
  'log_requests',
  'overflow',
  'version',
  'created_at',
  'updated_at',
  'active_adaptation_id',
  'mode',
  'log_text',
  'engine',
  'fail_mode',
  'redact',
  'visibility',
];

const toValues = (guard: Guard): unknown[] => [
  guard.guardUuid,
  guard.tenantId,
  guard.ownerId,
  guard.name,
  guard.description,
  guard.policyGroupUuids,
  guard.policyGroupOverrides,
  guard.enabled,
  guard.settings.maxTextLength,
  guard.settings.cacheEnabled,
  guard.settings.logRequests,
  guard.settings.overflow,
  guard.version,
  guard.createdAt,
  guard.updatedAt,
  guard.activeAdaptationId,
  guard.settings.mode,
  guard.settings.logText,
  guard.settings.engine,
  guard.settings.failMode,
  guard.settings.redact === null ? null : JSON.stringify(guard.settings.redact),
  guard.visibility,
];

const placeholders = columns.map((_, i) => `$${i + 1}`).join(', ');
const changes = columns
  .map((column, i) => `${column} = $${i + 1}`)
  .slice(3)
  .join(', ');

/** Notification channel; the payload is the id of the guard that has changed. */
export const changedChannel = 'policy_guard_guards';

async function findOne(db: Queries, where: string, params: readonly unknown[]): Promise<Guard | undefined> {
  const [guard] = await db.query<Row>(`${selectGuard} where ${where}`, params);
  return guard;
}

/** Of any tenant: the caller must compare the tenant. */
export const findGuard = (db: Queries, guardUuid: string): Promise<Guard | undefined> =>
  findOne(db, 'guard_uuid = $1', [guardUuid]);

/** Raises the version as part of a write to what belongs to the guard; false where the viewer may not change it. */
export async function touchGuard(
  tx: Queries,
  viewer: Viewer,
  guardUuid: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update policy_guard.guards g set version = version + 1, updated_at = $5
      where guard_uuid = $4 and ${changeable('g')} returning 1 as done`,
    [...viewerParams(viewer), guardUuid, now],
  );
  return rows.length > 0;
}

/** Newest first. */
export const listGuards = (
  db: Queries,
  viewer: Viewer,
  owner: OwnerFilter,
  { limit, offset }: Page,
): Promise<Guard[]> =>
  db.query<Row>(
    `${selectGuard} where ${listed('g')} order by created_at desc, guard_uuid limit $5 offset $6`,
    [...listParams(viewer, owner), limit, offset],
  );

/** The names of guards, those that were deleted too; for ids that we wrote. */
export async function listGuardNames(
  db: Queries,
  guardUuids: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(guardUuids)];
  if (wanted.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(
    `select guard_uuid as id, name from policy_guard.guards where guard_uuid = any($1)
      union all
      select id, name from policy_guard.former_names where id = any($1)`,
    [wanted],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The guard that a name selects when it is no guard's UUID: the owner's oldest enabled one of that name, else
 * that of `otherwise` where it is of the tenant, else the owner's oldest enabled one.
 */
export async function findNamedGuard(
  db: Queries,
  { tenantId, userId }: Pick<Viewer, 'tenantId' | 'userId'>,
  name: string,
  otherwise: string | undefined,
): Promise<string | undefined> {
  const [row] = await db.query<{ guardUuid: string }>(
    `select guard_uuid as "guardUuid" from policy_guard.guards
      where tenant_id = $1 and (guard_uuid = $4 or owner_id = $2 and enabled)
      order by owner_id = $2 and enabled and name = $3 desc, guard_uuid is not distinct from $4 desc,
        created_at, guard_uuid
      limit 1`,
    [tenantId, userId, name, otherwise ?? null],
  );
  return row?.guardUuid;
}

export async function countGuards(db: Queries, viewer: Viewer, owner: OwnerFilter): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*) as total from policy_guard.guards g where ${listed('g')}`,
    listParams(viewer, owner),
  );
  return row?.total ?? 0;
}

export async function insertGuard(db: Queries, guard: Guard): Promise<void> {
  await db.query(
    `insert into policy_guard.guards (${columns.join(', ')}) values (${placeholders})`,
    toValues(guard),
  );
}

/** Writes the guard over the version before it; false when another write came between. */
export async function replaceGuard(db: Queries, guard: Guard): Promise<boolean> {
  const rows = await db.query(
    `update policy_guard.guards set ${changes}
      where guard_uuid = $1 and tenant_id = $2 and owner_id = $3 and version = $13 - 1 returning 1 as done`,
    toValues(guard),
  );
  return rows.length > 0;
}

/** Its name is kept: log and counts outlive it. False where it is gone already. */
export async function deleteGuard(db: Queries, guardUuid: string, at: Date): Promise<boolean> {
  const rows = await db.query(
    `with gone as (delete from policy_guard.guards where guard_uuid = $1 returning guard_uuid, tenant_id, name)
      insert into policy_guard.former_names (id, tenant_id, name, deleted_at)
        select guard_uuid, tenant_id, name, $2::timestamptz from gone returning 1 as done`,
    [guardUuid, at],
  );
  return rows.length > 0;
}

/** The tenant's guards that judge by the group. */
export const listGuardsUsing = (
  tx: Queries,
  tenantId: string,
  groupUuid: string,
): Promise<{ name: string; ownerId: string }[]> =>
  tx.query<{ name: string; ownerId: string }>(
    `select name, owner_id as "ownerId" from policy_guard.guards
      where tenant_id = $1 and $2 = any(policy_group_uuids) order by name`,
    [tenantId, groupUuid],
  );
