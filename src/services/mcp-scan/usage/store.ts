import type { Queries } from '#base/db/database.ts';

export interface Totals {
  promptTokens: number;
  completionTokens: number;
  cost: number;
  scans: number;
  users: number;
}

const totals = `coalesce(sum(prompt_tokens), 0)::bigint as "promptTokens",
  coalesce(sum(completion_tokens), 0)::bigint as "completionTokens", coalesce(sum(llm_cost), 0)::float8 as cost,
  count(*) as scans, count(distinct owner_id) as users`;

/** Over completed scans, of one user or of all. */
export async function sumUsage(db: Queries, userId?: string): Promise<Totals> {
  const [row] = await db.query<Totals & Record<string, unknown>>(
    `select ${totals} from mcp_scan.scans where outcome = 'completed' and ($1::uuid is null or owner_id = $1)`,
    [userId],
  );
  return row ?? { promptTokens: 0, completionTokens: 0, cost: 0, scans: 0, users: 0 };
}
