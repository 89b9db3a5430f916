import type { Queries } from '#base/db/database.ts';

/** What one scan has used. */
export interface ScanUsage {
  readonly scanId: number;
  readonly ownerId: string;
  readonly filename: string;
  readonly status: 'completed' | 'failed';
  readonly uploadTime: Date;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly llmCost: number;
}

export interface Totals {
  promptTokens: number;
  completionTokens: number;
  cost: number;
  scans: number;
  users: number;
}

const kept = 'scan_id, owner_id, filename, outcome, upload_time, prompt_tokens, completion_tokens, llm_cost';

const totals = `coalesce(sum(prompt_tokens), 0)::bigint as "promptTokens",
  coalesce(sum(completion_tokens), 0)::bigint as "completionTokens", coalesce(sum(llm_cost), 0)::float8 as cost,
  count(*) as scans, count(distinct owner_id) as users`;

/** Over completed scans, deleted ones too, of one user or of all. */
export async function sumUsage(db: Queries, userId?: string): Promise<Totals> {
  const [row] = await db.query<Totals & Record<string, unknown>>(
    `select ${totals} from (
       select ${kept} from mcp_scan.scans union all select ${kept} from mcp_scan.deleted_usage) s
     where outcome = 'completed' and ($1::uuid is null or owner_id = $1)`,
    [userId],
  );
  return row ?? { promptTokens: 0, completionTokens: 0, cost: 0, scans: 0, users: 0 };
}

/** What a deleted scan has used. */
export async function findDeletedUsage(db: Queries, scanId: number): Promise<ScanUsage | undefined> {
  const [row] = await db.query<ScanUsage & Record<string, unknown>>(
    `select scan_id as "scanId", owner_id as "ownerId", filename, outcome as status, upload_time as "uploadTime",
       prompt_tokens as "promptTokens", completion_tokens as "completionTokens", llm_cost as "llmCost"
     from mcp_scan.deleted_usage where scan_id = $1`,
    [scanId],
  );
  return row;
}
