import type { Queries } from '#base/db/database.ts';

const used = 'scan_id, owner_id, filename, outcome, upload_time, prompt_tokens, completion_tokens, llm_cost';

/** Deletes a scan with its result. What it has used is kept; one that had not ended leaves nothing. */
export async function deleteScan(tx: Queries, scanId: number): Promise<void> {
  await tx.query(
    `insert into mcp_scan.deleted_usage (${used})
     select ${used} from mcp_scan.scans where scan_id = $1 and outcome is not null for update
     on conflict (scan_id) do nothing`,
    [scanId],
  );
  await tx.query(`delete from mcp_scan.scans where scan_id = $1`, [scanId]);
}
