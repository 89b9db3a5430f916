import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { PolicyFields } from '../policies/policy-group.ts';
import type { Exemplars, ExemplarState, WrittenBy } from './exemplar.ts';

/** A policy that was written, as its exemplars see it. */
export interface SavedPolicy {
  readonly id: string;
  readonly hash: string;
}

/** Exemplars that are being written, with what they are written for. */
export interface Draft extends WrittenBy {
  readonly policyId: string;
  readonly tenantId: string;
  readonly groupUuid: string;
  readonly hash: string;
  readonly stepsDone: number;
  readonly exemplars: Exemplars;
  readonly policy: PolicyFields;
}

const saved = (policies: readonly SavedPolicy[]) => json(policies);

/** Exemplars of a text that the policy no longer has go. */
export async function deleteOutdated(tx: Queries, policies: readonly SavedPolicy[]): Promise<void> {
  await tx.query(
    `delete from policy_guard.policy_exemplars e using json_to_recordset($1::json) as r(id uuid, hash text)
      where e.policy_id = r.id and e.text_hash <> r.hash`,
    [saved(policies)],
  );
}

/** What the tenant has for the same text already, the policies get too; written by anything where `by` is undefined. */
export async function copyExemplars(
  tx: Queries,
  tenantId: string,
  policies: readonly SavedPolicy[],
  by: WrittenBy | undefined,
): Promise<void> {
  await tx.query(
    `insert into policy_guard.policy_exemplars (policy_id, tenant_id, text_hash, prompt_version, model, status,
        steps_done, block, safe, head, engine_version, updated_at)
      select distinct on (r.id) r.id, e.tenant_id, e.text_hash, e.prompt_version, e.model, e.status, e.steps_done,
        e.block, e.safe, e.head, e.engine_version, e.updated_at
      from json_to_recordset($2::json) as r(id uuid, hash text)
      join policy_guard.policy_exemplars e on e.tenant_id = $1 and e.text_hash = r.hash and e.status = 'ready'
      where $3::text is null or (e.model = $3 and e.prompt_version = $4)
      order by r.id, e.updated_at desc
      on conflict (policy_id) do nothing`,
    [tenantId, saved(policies), by?.model ?? null, by?.promptVersion ?? 0],
  );
}

/**
 * Marks policies as pending that have none by this model and prompt, or whose last attempt failed; returns their ids.
 */
export async function requestExemplars(
  tx: Queries,
  tenantId: string,
  policies: readonly SavedPolicy[],
  { model, promptVersion, now }: WrittenBy & { now: Date },
): Promise<string[]> {
  const rows = await tx.query<{ policyId: string }>(
    `insert into policy_guard.policy_exemplars as e (policy_id, tenant_id, text_hash, prompt_version, model, status,
        updated_at)
      select r.id, $1, r.hash, $3, $4, 'pending', $5 from json_to_recordset($2::json) as r(id uuid, hash text)
      on conflict (policy_id) do update set status = 'pending', prompt_version = excluded.prompt_version,
        model = excluded.model, steps_done = 0, block = '[]', safe = '[]', updated_at = excluded.updated_at
      where e.status = 'failed' or e.model <> excluded.model or e.prompt_version <> excluded.prompt_version
      returning e.policy_id as "policyId"`,
    [tenantId, saved(policies), promptVersion, model, now],
  );
  return rows.map(({ policyId }) => policyId);
}

/** Of all policies of the groups that have any. */
export async function listStates(
  db: Queries,
  groupUuids: readonly string[],
): Promise<Map<string, ExemplarState>> {
  const rows = await db.query<ExemplarState & { policyId: string } & Record<string, unknown>>(
    `select e.policy_id as "policyId", e.status, json_array_length(e.block) as block,
        json_array_length(e.safe) as safe, e.model, e.updated_at as "updatedAt"
      from policy_guard.policies p join policy_guard.policy_exemplars e using (policy_id)
      where p.group_uuid = any($1::uuid[])`,
    [groupUuids],
  );
  return new Map(rows.map(({ policyId, ...state }) => [policyId, state]));
}

/** Undefined if nothing is left to write: they are ready or failed, or the policy was deleted. */
export async function findDraft(db: Queries, policyId: string): Promise<Draft | undefined> {
  const [row] = await db.query<Draft & Record<string, unknown>>(
    `select e.policy_id as "policyId", e.tenant_id as "tenantId", p.group_uuid as "groupUuid",
        e.text_hash as hash, e.model, e.prompt_version as "promptVersion", e.steps_done as "stepsDone",
        json_build_object('block', e.block, 'safe', e.safe) as exemplars,
        json_build_object('name', p.name, 'description', p.description, 'blockActivities', p.block_activities,
          'safeActivities', p.safe_activities, 'enabled', p.enabled) as policy
      from policy_guard.policy_exemplars e join policy_guard.policies p using (policy_id)
      where e.policy_id = $1 and e.status = 'pending'`,
    [policyId],
  );
  return row;
}

/** Unchanged since it was read: neither saved again nor continued by another run. */
const unchanged = `policy_id = $1 and text_hash = $2 and status = 'pending' and steps_done = $3`;
const keyOf = ({ policyId, hash, stepsDone }: Draft) => [policyId, hash, stepsDone];

/** Starts again, with another model or prompt. */
export async function restartDraft(
  db: Queries,
  draft: Draft,
  { model, promptVersion }: WrittenBy,
): Promise<void> {
  await db.query(
    `update policy_guard.policy_exemplars set model = $4, prompt_version = $5, steps_done = 0, block = '[]',
      safe = '[]' where ${unchanged}`,
    [...keyOf(draft), model, promptVersion],
  );
}

export async function saveStep(
  db: Queries,
  draft: Draft,
  { stepsDone, exemplars, now }: { stepsDone: number; exemplars: Exemplars; now: Date },
): Promise<void> {
  await db.query(
    `update policy_guard.policy_exemplars set steps_done = $4, block = $5, safe = $6, updated_at = $7
      where ${unchanged}`,
    [...keyOf(draft), stepsDone, json(exemplars.block), json(exemplars.safe), now],
  );
}

/** False if the draft has changed meanwhile; then nothing was saved. */
export async function saveReady(
  tx: Queries,
  draft: Draft,
  made: { exemplars: Exemplars; head: Head; engineVersion: string; now: Date },
): Promise<boolean> {
  const { exemplars, head, engineVersion, now } = made;
  const rows = await tx.query(
    `update policy_guard.policy_exemplars set status = 'ready', block = $4, safe = $5, head = $6,
      engine_version = $7, updated_at = $8 where ${unchanged} returning 1 as done`,
    [...keyOf(draft), json(exemplars.block), json(exemplars.safe), json(head), engineVersion, now],
  );
  return rows.length > 0;
}

/** False as with {@link saveReady}. */
export async function saveFailed(db: Queries, draft: Draft, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update policy_guard.policy_exemplars set status = 'failed', updated_at = $4 where ${unchanged}
      returning 1 as done`,
    [...keyOf(draft), now],
  );
  return rows.length > 0;
}

/** Policies whose exemplars have not been worked on since. */
export async function listForgotten(db: Queries, since: Date): Promise<string[]> {
  const rows = await db.query<{ policyId: string }>(
    `select policy_id as "policyId" from policy_guard.policy_exemplars
      where status = 'pending' and updated_at < $1 order by updated_at limit 1000`,
    [since],
  );
  return rows.map(({ policyId }) => policyId);
}

/** Undefined unless they are ready. */
export async function findReady(db: Queries, policyId: string): Promise<Draft | undefined> {
  const [row] = await db.query<Draft & Record<string, unknown>>(
    `select e.policy_id as "policyId", e.text_hash as hash,
        json_build_object('block', e.block, 'safe', e.safe) as exemplars,
        json_build_object('name', p.name, 'description', p.description, 'blockActivities', p.block_activities,
          'safeActivities', p.safe_activities, 'enabled', p.enabled) as policy
      from policy_guard.policy_exemplars e join policy_guard.policies p using (policy_id)
      where e.policy_id = $1 and e.status = 'ready'`,
    [policyId],
  );
  return row;
}

/** What another engine learned from the same exemplars. */
export async function saveRelearned(
  db: Queries,
  { policyId, hash }: Pick<Draft, 'policyId' | 'hash'>,
  head: Head,
  engineVersion: string,
): Promise<void> {
  await db.query(
    `update policy_guard.policy_exemplars set head = $3, engine_version = $4
      where policy_id = $1 and text_hash = $2 and status = 'ready'`,
    [policyId, hash, json(head), engineVersion],
  );
}
