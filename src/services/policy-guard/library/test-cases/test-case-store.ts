import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { TestCase } from './test-case.ts';

/** @param lock until the transaction ends; nothing is locked where there are no cases yet */
export async function findTestCases(
  db: Queries,
  { groupUuid, policyId }: { groupUuid: string; policyId: string },
  lock = false,
): Promise<TestCase[]> {
  const [row] = await db.query<{ cases: TestCase[] }>(
    `select cases from policy_guard.policy_test_cases where group_uuid = $1 and policy_id = $2
      ${lock ? 'for update' : ''}`,
    [groupUuid, policyId],
  );
  return row?.cases ?? [];
}

/** Makes sure that there is something to lock. */
export const beginTestCases = (
  tx: Queries,
  { groupUuid, policyId }: { groupUuid: string; policyId: string },
) =>
  tx.query(
    `insert into policy_guard.policy_test_cases (group_uuid, policy_id, cases) values ($1, $2, '[]')
      on conflict do nothing`,
    [groupUuid, policyId],
  );

export const saveTestCases = (
  tx: Queries,
  { groupUuid, policyId }: { groupUuid: string; policyId: string },
  cases: readonly TestCase[],
) =>
  tx.query(
    `insert into policy_guard.policy_test_cases (group_uuid, policy_id, cases) values ($1, $2, $3)
      on conflict (group_uuid, policy_id) do update set cases = excluded.cases, measured = null`,
    [groupUuid, policyId, json(cases)],
  );

/** What was measured on the test cases of a policy. */
export interface MeasuredQuality {
  /** Of everything that the figures depend on besides the cases. */
  readonly version: string;
  readonly violating: number;
  readonly harmless: number;
  /** Area under the ROC curve. */
  readonly quality: number;
  /** Shares of either kind that are flagged at probability .5. */
  readonly found: number;
  readonly flagged: number;
}

/** Of policies with enough test cases: what was measured on them, undefined where they have changed since. */
export async function listMeasured(
  db: Queries,
  groupUuids: readonly string[],
  enough: number,
): Promise<{ groupUuid: string; policyId: string; measured: MeasuredQuality | null }[]> {
  if (groupUuids.length === 0) return [];
  return db.query(
    `select group_uuid as "groupUuid", policy_id as "policyId", measured
     from policy_guard.policy_test_cases
     where group_uuid = any($1) and jsonb_array_length(cases) >= $2`,
    [groupUuids, enough],
  );
}

/** The cases, with a mark of what they are. */
export async function findMarkedCases(
  db: Queries,
  { groupUuid, policyId }: { groupUuid: string; policyId: string },
): Promise<{ cases: TestCase[]; mark: string } | undefined> {
  const [row] = await db.query<{ cases: TestCase[]; mark: string }>(
    `select cases, md5(cases::text) as mark from policy_guard.policy_test_cases
     where group_uuid = $1 and policy_id = $2`,
    [groupUuid, policyId],
  );
  return row;
}

/** Keeps what was measured, unless the cases have changed meanwhile. */
export const saveMeasured = (
  db: Queries,
  { groupUuid, policyId }: { groupUuid: string; policyId: string },
  mark: string,
  measured: MeasuredQuality,
) =>
  db.query(
    `update policy_guard.policy_test_cases set measured = $4
     where group_uuid = $1 and policy_id = $2 and md5(cases::text) = $3`,
    [groupUuid, policyId, mark, json(measured)],
  );
