import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import {
  changeable,
  listed,
  listParams,
  type OwnerFilter,
  readable,
  type Viewer,
  viewerParams,
} from '#identity/sharing.ts';
import { type Page, policyColumns, type StoredPolicy } from '../policies/store.ts';
import type { PolicySet } from './policy-set.ts';

export interface StoredSet extends PolicySet {
  readonly ownerId: string;
}

/** A row of the set's members; the policy is null for a preset. */
export interface StoredMember {
  readonly policyId: string;
  readonly enabled: boolean;
  readonly policy: StoredPolicy | null;
}

const columns = `
  s.policy_set_id as "policySetId", s.tenant_id as "tenantId", s.owner_id as "ownerId", s.name,
  s.blocking_config as "blockingConfig", s.notify_emails as "notifyEmails",
  s.own_domains as "ownDomains", s.user_roles as "userRoles", s.visibility,
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

type SetRow = StoredSet & Record<string, unknown>;

/** A set that the viewer may read. */
export async function findSet(db: Queries, viewer: Viewer, setId: string): Promise<StoredSet | undefined> {
  const [row] = await db.query<SetRow>(
    `select ${columns} from action_guard.policy_sets s where ${readable('s')}
      and s.deleted_at is null and s.policy_set_id = $4`,
    [...viewerParams(viewer), setId],
  );
  return row;
}

/** The same, held against other writes until the transaction ends. */
export async function lockSet(tx: Queries, viewer: Viewer, setId: string): Promise<StoredSet | undefined> {
  await tx.query('select from action_guard.policy_sets where policy_set_id = $1 for update', [setId]);
  return findSet(tx, viewer, setId);
}

/** A set of whichever tenant. */
export async function findSetOfAny(db: Queries, setId: string): Promise<StoredSet | undefined> {
  const [row] = await db.query<SetRow>(
    `select ${columns} from action_guard.policy_sets s where s.policy_set_id = $1 and s.deleted_at is null`,
    [setId],
  );
  return row;
}

/** Newest first; `policyCount` is of active policies and of the presets that there are. */
export async function listSets(
  db: Queries,
  { viewer, owner, presetIds }: { viewer: Viewer; owner: OwnerFilter; presetIds: readonly string[] },
  { limit, offset }: Page,
): Promise<{ sets: (StoredSet & { policyCount: number })[]; total: number }> {
  const where = `${listed('s')} and s.deleted_at is null`;
  const params = listParams(viewer, owner);
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from action_guard.policy_sets s where ${where}`,
    params,
  );
  const sets = await db.query<SetRow & { policyCount: number }>(
    `select ${columns}, (select count(*) from action_guard.policy_set_members m
        left join action_guard.policies p on p.policy_id = m.policy_id and p.deleted_at is null
        where m.policy_set_id = s.policy_set_id and (p.policy_id is not null or m.policy_id = any($7))) as "policyCount"
      from action_guard.policy_sets s where ${where}
      order by s.created_at desc, s.policy_set_id limit $5 offset $6`,
    [...params, limit, offset, presetIds],
  );
  return { sets, total: counted?.total ?? 0 };
}

/** The names of sets, those that were deleted too; for ids that we wrote. */
export async function listSetNames(db: Queries, setIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'select policy_set_id as id, name from action_guard.policy_sets where policy_set_id = any($1)',
    [setIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** In their order, without those whose policy is deleted; a preset comes without its policy. */
export async function listMembers(db: Queries, setId: string): Promise<StoredMember[]> {
  type Row = StoredPolicy & { memberId: string; enabled: boolean } & Record<string, unknown>;
  const rows = await db.query<Row>(
    `select m.policy_id as "memberId", m.enabled, ${policyColumns}
      from action_guard.policy_set_members m left join action_guard.policies p on p.policy_id = m.policy_id
      where m.policy_set_id = $1 and p.deleted_at is null order by m.position, m.policy_id`,
    [setId],
  );
  return rows.map(({ memberId, enabled, ...policy }) => ({
    policyId: memberId,
    enabled,
    // A left join: without a row the columns are null, whatever their types say.
    policy: (policy.policyId as string | null) === null ? null : policy,
  }));
}

export async function insertSet(tx: Queries, set: StoredSet): Promise<void> {
  await tx.query(
    `insert into action_guard.policy_sets (policy_set_id, tenant_id, owner_id, name, blocking_config, notify_emails,
      created_at, updated_at, own_domains, visibility, user_roles)
      values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)`,
    [
      set.policySetId,
      set.tenantId,
      set.ownerId,
      set.name,
      set.blockingConfig,
      set.notifyEmails,
      set.createdAt,
      set.ownDomains,
      set.visibility,
      json(set.userRoles),
    ],
  );
}

export async function updateSet(tx: Queries, set: StoredSet): Promise<void> {
  await tx.query(
    `update action_guard.policy_sets set name = $2, blocking_config = $3, notify_emails = $4, updated_at = $5,
      own_domains = $6, visibility = $7, user_roles = $8 where policy_set_id = $1`,
    [
      set.policySetId,
      set.name,
      set.blockingConfig,
      set.notifyEmails,
      set.updatedAt,
      set.ownDomains,
      set.visibility,
      json(set.userRoles),
    ],
  );
}

/** Adds policies at the end, enabled; answers those that were not there yet. */
export async function insertMembers(
  tx: Queries,
  setId: string,
  policyIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ policyId: string }>(
    `insert into action_guard.policy_set_members (policy_set_id, policy_id, position, enabled)
      select $1, n.policy_id, n.place + (select coalesce(max(position), 0) from action_guard.policy_set_members
        where policy_set_id = $1), true
      from unnest($2::text[]) with ordinality as n (policy_id, place)
      on conflict do nothing returning policy_id as "policyId"`,
    [setId, policyIds],
  );
  return rows.map(({ policyId }) => policyId);
}

export async function enableMembers(
  tx: Queries,
  setId: string,
  enabled: Readonly<Record<string, boolean>>,
): Promise<void> {
  await tx.query(
    `update action_guard.policy_set_members m set enabled = e.value::boolean
      from json_each_text($2::json) as e where m.policy_set_id = $1 and m.policy_id = e.key`,
    [setId, enabled],
  );
}

/** Whether the set held it. */
export async function deleteMember(tx: Queries, setId: string, policyId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from action_guard.policy_set_members where policy_set_id = $1 and policy_id = $2 returning 1 as gone',
    [setId, policyId],
  );
  return rows.length > 0;
}

export async function deleteSet(tx: Queries, setId: string, at: Date): Promise<void> {
  await tx.query('update action_guard.policy_sets set deleted_at = $2 where policy_set_id = $1', [setId, at]);
}

/**
 * Active policies of the set that go with it: those that the viewer may change, but for those that a set of another owner
 * holds, which would lose them unnoticed.
 */
export async function listMembersToDelete(
  tx: Queries,
  viewer: Viewer,
  { policySetId, ownerId }: StoredSet,
): Promise<string[]> {
  const rows = await tx.query<{ policyId: string }>(
    `select p.policy_id as "policyId" from action_guard.policy_set_members m
      join action_guard.policies p on p.policy_id = m.policy_id
      where ${changeable('p')} and p.deleted_at is null and m.policy_set_id = $4
        and not exists (select from action_guard.policy_set_members o
          join action_guard.policy_sets s on s.policy_set_id = o.policy_set_id and s.deleted_at is null
          where o.policy_id = p.policy_id and s.owner_id <> $5)
      order by m.position`,
    [...viewerParams(viewer), policySetId, ownerId],
  );
  return rows.map(({ policyId }) => policyId);
}
