import type { Queries } from '#base/db/database.ts';

/** Takes one attempt of the adaptive attacker from the budget of a run; false where it is spent. */
export async function spendAdaptive(db: Queries, runId: string, budget: number): Promise<boolean> {
  const rows = await db.query(
    `update red_team.runs set adaptive_spent = adaptive_spent + 1 where run_id = $1 and adaptive_spent < $2
      returning run_id`,
    [runId, budget],
  );
  return rows.length > 0;
}
