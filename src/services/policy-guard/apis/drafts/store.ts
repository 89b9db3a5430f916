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
      on conflict (group_uuid, policy_id) do update set cases = excluded.cases`,
    [groupUuid, policyId, json(cases)],
  );
