import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import {
  listed,
  listParams,
  type OwnerFilter,
  readable,
  type Viewer,
  viewerParams,
} from '#identity/sharing.ts';
import type { StoredRule } from '../rules/rule.ts';
import type { Policy } from './policy.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface StoredPolicy extends Omit<Policy, 'rules'> {
  readonly rules: readonly StoredRule[];
  readonly tenantId: string;
  readonly ownerId: string;
}

type PolicyRow = StoredPolicy & Record<string, unknown>;

/** The columns of a policy, under the names that our code has for them. */
export const policyColumns = `
  p.policy_id as "policyId", p.tenant_id as "tenantId", p.visibility, p.owner_id as "ownerId", p.name, p.description, p.category, p.rules,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const visible = `${readable('p')} and p.deleted_at is null`;

/** A policy that the viewer may read. */
export async function findPolicy(
  db: Queries,
  viewer: Viewer,
  policyId: string,
): Promise<StoredPolicy | undefined> {
  const [row] = await db.query<PolicyRow>(
    `select ${policyColumns} from action_guard.policies p where ${visible} and p.policy_id = $4`,
    [...viewerParams(viewer), policyId],
  );
  return row;
}

/** The same, held against other writes until the transaction ends. */
export async function lockPolicy(
  tx: Queries,
  viewer: Viewer,
  policyId: string,
): Promise<StoredPolicy | undefined> {
  await tx.query('select from action_guard.policies where policy_id = $1 for update', [policyId]);
  return findPolicy(tx, viewer, policyId);
}

/** Which of the policies the viewer may read. */
export async function findPolicyIds(
  db: Queries,
  viewer: Viewer,
  policyIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ policyId: string }>(
    `select p.policy_id as "policyId" from action_guard.policies p where ${visible} and p.policy_id = any($4)`,
    [...viewerParams(viewer), policyIds],
  );
  return rows.map(({ policyId }) => policyId);
}

/** Newest first, with the number of all pages' policies. */
export async function listPolicies(
  db: Queries,
  viewer: Viewer,
  owner: OwnerFilter,
  { limit, offset }: Page,
): Promise<{ policies: StoredPolicy[]; total: number }> {
  const where = `${listed('p')} and p.deleted_at is null`;
  const params = listParams(viewer, owner);
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from action_guard.policies p where ${where}`,
    params,
  );
  const policies = await db.query<PolicyRow>(
    `select ${policyColumns} from action_guard.policies p where ${where}
      order by p.created_at desc, p.policy_id limit $5 offset $6`,
    [...params, limit, offset],
  );
  return { policies, total: counted?.total ?? 0 };
}

export async function insertPolicy(db: Queries, policy: StoredPolicy): Promise<void> {
  await db.query(
    `insert into action_guard.policies (policy_id, tenant_id, owner_id, name, description, category, rules,
      created_at, updated_at, visibility) values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [
      policy.policyId,
      policy.tenantId,
      policy.ownerId,
      policy.name,
      policy.description,
      policy.category,
      json(policy.rules),
      policy.createdAt,
      policy.visibility,
    ],
  );
}

export async function updatePolicy(tx: Queries, policy: StoredPolicy): Promise<void> {
  await tx.query(
    `update action_guard.policies set name = $2, description = $3, category = $4, rules = $5, updated_at = $6,
      visibility = $7 where policy_id = $1`,
    [
      policy.policyId,
      policy.name,
      policy.description,
      policy.category,
      json(policy.rules),
      policy.updatedAt,
      policy.visibility,
    ],
  );
}

/** How many sets hold the policy that are not of its owner. */
export async function countSetsOfOthers(tx: Queries, policyId: string, ownerId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from action_guard.policy_set_members m
      join action_guard.policy_sets s on s.policy_set_id = m.policy_set_id
      where m.policy_id = $1 and s.owner_id <> $2 and s.deleted_at is null`,
    [policyId, ownerId],
  );
  return row?.count ?? 0;
}

/** Marks policies as deleted. */
export async function deletePolicies(tx: Queries, policyIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    'update action_guard.policies set deleted_at = $2 where policy_id = any($1) and deleted_at is null',
    [policyIds, at],
  );
}

/** The channel on which processes tell each other that a set, or one of its policies, has changed. */
export const changedChannel = 'action_guard_changed';

/** Told to all who listen when, and only if, the transaction commits. */
export async function announceSet(tx: Queries, policySetId: string): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [changedChannel, policySetId]);
}

/** Announces each set that holds one of the policies, and answers them. */
export async function announceSetsOf(tx: Queries, policyIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ policySetId: string }>(
    `select policy_set_id as "policySetId", pg_notify($1, policy_set_id) is null as told
      from (
        select distinct policy_set_id from action_guard.policy_set_members where policy_id = any($2)) as held`,
    [changedChannel, policyIds],
  );
  return rows.map(({ policySetId }) => policySetId);
}
