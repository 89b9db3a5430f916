/** Scans: what is asked and found stands here, how far a scan is stands in `runs.runs`. */
import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { readable, type Viewer, viewerParams, type Visibility } from '#identity/sharing.ts';
import type { ScanResult, Usage } from '../scanning/result.ts';
import type { OAuthMetadata } from '../live/oauth-metadata.ts';
import { writeFindings } from './counting.ts';
import { leastSecurityOf } from './rate.ts';
import type { NewScan, Rated, Scan } from './scan.ts';

export const statusSql = `coalesce(s.outcome, case r.status when 'running' then 'processing' when 'waiting' then 'needs_auth' else 'pending' end)`;

/** The name of a scan that another one names by its id; null where that was deleted. */
const nameOfScan = (id: string) => `(select o.filename from mcp_scan.scans o where o.scan_id = ${id})`;

/** Of a scan, from {@link scans}. */
export const columns = `s.scan_id as "scanId", s.run_id as "runId", s.tenant_id as "tenantId", s.owner_id as "ownerId",
  s.visibility, s.scan_type as "scanType", s.filename, s.upload_time as "uploadTime",
  case when s.run_id is null then s.upload_time else r.started_at end as "startedAt", ${statusSql} as status,
  case when s.outcome is null and r.status = 'running' then r.step end as stage,
  r.done, r.total, r.step, s.github_url as "githubUrl", s.revision, s.commit_hash as "commitHash",
  s.server_name as "serverName", s.config, s.artifact_id as "artifactId", s.batch_id as "batchId",
  s.parent_scan_id as "parentScanId", ${nameOfScan('s.parent_scan_id')} as "parentScanName",
  s.cached_from_scan_id as "cachedFromScanId", ${nameOfScan('s.cached_from_scan_id')} as "cachedFromScanName", s.publish,
  s.oauth_metadata as "oauthMetadata", s.authentication_required as "authenticationRequired",
  s.content_hash as "contentHash", s.rules_version as "rulesVersion", s.error_message as "errorMessage",
  s.finished_at as "finishedAt", s.complexity, s.sensitivity, s.complexity_reasoning as "complexityReasoning",
  s.sensitivity_reasoning as "sensitivityReasoning", s.flagged_count as "flaggedCount",
  s.tool_count as "toolCount", s.server_count as "serverCount",
  s.prompt_tokens as "promptTokens", s.completion_tokens as "completionTokens", s.llm_cost as "llmCost"`;
export const scans = 'mcp_scan.scans s left join runs.runs r on r.run_id = s.run_id';

export type Row = Omit<Scan, 'progress'> & {
  done: number | null;
  total: number | null;
  step: string | null;
} & Record<string, unknown>;

/** Of one that has ended nothing is under way; what is completed is done. */
function progressOf({ done, total, step, status }: Row): Scan['progress'] {
  if (status === 'completed') {
    const all = Math.max(total ?? done ?? 1, 1);
    return { done: all, total: all };
  }
  if (done === null) return null;
  return {
    done,
    total: total ?? undefined,
    step: status === 'failed' ? undefined : (step ?? undefined),
  };
}

export function toScan(row: Row): Scan {
  const { done: _done, total: _total, step: _step, ...scan } = row;
  return { ...(scan as unknown as Omit<Scan, 'progress'>), progress: progressOf(row) };
}

export async function insertScan(tx: Queries, scan: NewScan): Promise<number> {
  const [row] = await tx.query<{ scanId: number }>(
    `insert into mcp_scan.scans (run_id, tenant_id, owner_id, visibility, scan_type, filename, upload_time, github_url,
        revision, server_name, config, secrets, token, artifact_id, batch_id, parent_scan_id, publish, content_hash, server_count,
        server_key, authentication_required)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
      returning scan_id as "scanId"`,
    [
      scan.runId,
      scan.tenantId,
      scan.ownerId,
      scan.visibility,
      scan.scanType,
      scan.filename,
      scan.uploadTime,
      scan.githubUrl,
      scan.revision,
      scan.serverName,
      scan.config === undefined ? null : json(scan.config),
      scan.secrets,
      scan.token,
      scan.artifactId,
      scan.batchId,
      scan.parentScanId,
      scan.publish ?? false,
      scan.contentHash,
      scan.scanType === 'mcp' ? 1 : 0,
      scan.serverKey,
      scan.token !== undefined,
    ],
  );
  if (row === undefined) throw new Error('an insert returned no row');
  return row.scanId;
}

/** Any scan, whoever asks: check with `sharing.ts` before it is shown. */
export async function findScan(db: Queries, scanId: number): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(`select ${columns} from ${scans} where s.scan_id = $1`, [scanId]);
  return row && toScan(row);
}

export async function findScanOfRun(db: Queries, runId: string): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(`select ${columns} from ${scans} where s.run_id = $1`, [runId]);
  return row && toScan(row);
}

/** What was sealed for a scan. */
export async function findSealed(
  db: Queries,
  scanId: number,
): Promise<{ secrets: Buffer | null; token: Buffer | null }> {
  const [row] = await db.query<{ secrets: Buffer | null; token: Buffer | null }>(
    `select secrets, token from mcp_scan.scans where scan_id = $1`,
    [scanId],
  );
  return row ?? { secrets: null, token: null };
}

export async function findResult(db: Queries, scanId: number): Promise<ScanResult | undefined> {
  const [row] = await db.query<{ data: ScanResult }>(`select data from mcp_scan.results where scan_id = $1`, [
    scanId,
  ]);
  return row?.data;
}

/** The scans of runs that the viewer may read, in the order of the runs. */
export async function readableIdsOf(
  db: Queries,
  viewer: Viewer,
  runIds: readonly string[],
): Promise<number[]> {
  const rows = await db.query<{ runId: string; scanId: number }>(
    `select s.run_id as "runId", s.scan_id as "scanId" from mcp_scan.scans s
      where ${readable('s')} and s.run_id = any($4::uuid[])`,
    [...viewerParams(viewer), runIds],
  );
  const byRun = new Map(rows.map(({ runId, scanId }) => [runId, scanId]));
  return runIds.flatMap((runId) => byRun.get(runId) ?? []);
}

export async function setCommit(tx: Queries, scanId: number, commitHash: string): Promise<void> {
  await tx.query(`update mcp_scan.scans set commit_hash = $2 where scan_id = $1`, [scanId, commitHash]);
}

/** @param refusal of the token that the scan had */
export async function setNeedsAuth(
  tx: Queries,
  scanId: number,
  metadata: OAuthMetadata,
  refusal: string | null,
): Promise<void> {
  await tx.query(
    `update mcp_scan.scans set oauth_metadata = $2, authentication_required = true, token = null, error_message = $3
      where scan_id = $1`,
    [scanId, json(metadata), refusal],
  );
}

export async function setToken(tx: Queries, scanId: number, token: Uint8Array): Promise<void> {
  await tx.query(`update mcp_scan.scans set token = $2, error_message = null where scan_id = $1`, [
    scanId,
    token,
  ]);
}

export interface Written {
  result: ScanResult;
  /** Without suppressions: those that count are asked for when the scan is read. */
  rated: Rated;
  /** Without the suppressions of any tenant, where the leaderboard may show it. */
  publicRating?: Rated | undefined;
  contentHash: string | undefined;
  rulesVersion: string;
  cachedFromScanId?: number | undefined;
  usage: Usage;
  cost: number;
}

/** The results of a scan; that it has ended is said by {@link endScan}. */
export async function writeResult(tx: Queries, scanId: number, written: Written): Promise<void> {
  const { result, rated, publicRating, contentHash, rulesVersion, cachedFromScanId, usage, cost } = written;
  const { security, complexity, sensitivity } = rated.ratings;
  await tx.query(
    `insert into mcp_scan.results (scan_id, data) values ($1, $2) on conflict (scan_id) do update set data = excluded.data`,
    [scanId, json(result)],
  );
  await tx.query(
    `update mcp_scan.scans set content_hash = coalesce($2, content_hash), rules_version = $3, cached_from_scan_id = $4,
        security = $5, complexity = $6, sensitivity = $7, security_reasoning = $8, complexity_reasoning = $9,
        sensitivity_reasoning = $10, score = $11, vulnerability_count = $12, severities = $13, flagged_count = $14,
        tool_count = $15, server_count = $16, prompt_tokens = $17, completion_tokens = $18, llm_cost = $19,
        public_rating = $20
      where scan_id = $1`,
    [
      scanId,
      contentHash,
      rulesVersion,
      cachedFromScanId,
      security.level,
      complexity.level,
      sensitivity.level,
      security.reasoning,
      complexity.reasoning,
      sensitivity.reasoning,
      rated.score,
      rated.vulnerabilityCount,
      json(rated.severities),
      rated.flaggedCount,
      rated.toolCount,
      rated.serverCount,
      usage.promptTokens,
      usage.completionTokens,
      cost,
      publicRating === undefined ? null : json(publicRating),
    ],
  );
  await writeFindings(tx, scanId, result.findings, leastSecurityOf(result));
}

/**
 * What is known of a scan before its server was asked. It is no rating: one that has only seen the configuration must not
 * look like one that has seen the server.
 */
export async function writeEarlyResult(
  tx: Queries,
  scanId: number,
  result: ScanResult,
  rulesVersion: string,
): Promise<void> {
  await tx.query(`insert into mcp_scan.results (scan_id, data) values ($1, $2)`, [scanId, json(result)]);
  await tx.query(`update mcp_scan.scans set rules_version = $2 where scan_id = $1`, [scanId, rulesVersion]);
  await writeFindings(tx, scanId, result.findings, null);
}

/** Says that the scan of a run has ended, and forgets its token. */
export async function endScan(
  tx: Queries,
  runId: string,
  end: { outcome: 'completed' | 'failed'; error: string | null; at: Date },
): Promise<void> {
  await tx.query(
    `update mcp_scan.scans set outcome = $2, error_message = $3, finished_at = $4, token = null where run_id = $1 and outcome is null`,
    [runId, end.outcome, end.error, end.at],
  );
}

export async function endNow(tx: Queries, scanId: number, at: Date): Promise<void> {
  await tx.query(`update mcp_scan.scans set outcome = 'completed', finished_at = $2 where scan_id = $1`, [
    scanId,
    at,
  ]);
}

export async function changeScan(
  tx: Queries,
  scanId: number,
  { visibility, publish }: { visibility?: Visibility | undefined; publish?: boolean | undefined },
): Promise<void> {
  await tx.query(
    `update mcp_scan.scans set visibility = coalesce($2, visibility), publish = coalesce($3, publish) where scan_id = $1`,
    [scanId, visibility, publish],
  );
}
