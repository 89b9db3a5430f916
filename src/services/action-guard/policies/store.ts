import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Policy, Viewer } from './policy.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface StoredPolicy extends Policy {
  readonly ownerId: string;
}

type PolicyRow = StoredPolicy & Record<string, unknown>;

/** The columns of a policy, under the names that our code has for them. */
export const policyColumns = `
  p.policy_id as "policyId", p.owner_id as "ownerId", p.name, p.description, p.category, p.rules,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const visible = 'p.tenant_id = $1 and (p.owner_id = $2 or $3) and p.deleted_at is null';
const whose = ({ tenantId, userId, all }: Viewer) => [tenantId, userId, all];

/** A policy that the viewer may see. */
export async function findPolicy(
  db: Queries,
  viewer: Viewer,
  policyId: string,
): Promise<StoredPolicy | undefined> {
  const [row] = await db.query<PolicyRow>(
    `select ${policyColumns} from action_guard.policies p where ${visible} and p.policy_id = $4`,
    [...whose(viewer), policyId],
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

/** Which of the policies the viewer may see. */
export async function findPolicyIds(
  db: Queries,
  viewer: Viewer,
  policyIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ policyId: string }>(
    `select p.policy_id as "policyId" from action_guard.policies p where ${visible} and p.policy_id = any($4)`,
    [...whose(viewer), policyIds],
  );
  return rows.map(({ policyId }) => policyId);
}

/** Newest first, with the number of all pages' policies. */
export async function listPolicies(
  db: Queries,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<{ policies: StoredPolicy[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from action_guard.policies p where ${visible}`,
    whose(viewer),
  );
  const policies = await db.query<PolicyRow>(
    `select ${policyColumns} from action_guard.policies p where ${visible}
      order by p.created_at desc, p.policy_id limit $4 offset $5`,
    [...whose(viewer), limit, offset],
  );
  return { policies, total: counted?.total ?? 0 };
}

export async function insertPolicy(db: Queries, tenantId: string, policy: StoredPolicy): Promise<void> {
  await db.query(
    `insert into action_guard.policies (policy_id, tenant_id, owner_id, name, description, category, rules,
      created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      policy.policyId,
      tenantId,
      policy.ownerId,
      policy.name,
      policy.description,
      policy.category,
      json(policy.rules),
      policy.createdAt,
    ],
  );
}

export async function updatePolicy(tx: Queries, policy: StoredPolicy): Promise<void> {
  await tx.query(
    `update action_guard.policies set name = $2, description = $3, category = $4, rules = $5, updated_at = $6
      where policy_id = $1`,
    [policy.policyId, policy.name, policy.description, policy.category, json(policy.rules), policy.updatedAt],
  );
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
