import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import {
  changeable,
  listed,
  listParams,
  type OwnerFilter,
  readable,
  type Viewer,
  viewerParams,
} from '#identity/sharing.ts';
import type { ScanStatus } from '../contract/names.ts';
import { scanningStep, type Scan, type ScannedModel, type ScanSettings } from './scan.ts';
import type { PlannedTest } from './plan.ts';

type Row = Scan & Record<string, unknown>;

const columns = `s.scan_id as "scanId", s.run_id as "runId", s.tenant_id as "tenantId", s.owner_id as "ownerId",
  s.visibility, s.scan_name as "scanName", s.sandbox, s.model, s.settings, s.seed, s.total, s.passed,
  s.active_ms as "activeMs", s.requests, s.prompt_tokens as "promptTokens", s.completion_tokens as "completionTokens",
  s.created_at as "createdAt", r.status as "runStatus", r.step, r.error_code as "errorCode", r.error,
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;
/** The same as `statusOf` of a scan. */
const statusColumn = `case r.status when 'completed' then 'Finished' when 'paused' then 'Paused' when 'queued' then 'Initializing'
  when 'running' then case r.step when '${scanningStep}' then 'Scanning' else 'Initializing' end
  when 'failed' then case r.error_code when 'failed' then 'Failed' else 'Error' end else 'Error' end`;
const from = 'model_scan.scans s join runs.runs r on r.run_id = s.run_id';

export interface NewScan {
  readonly scanId: string;
  readonly runId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: string;
  readonly scanName: string;
  readonly sandbox: boolean;
  readonly model: ScannedModel;
  readonly secrets: Buffer;
  readonly settings: ScanSettings;
  readonly seed: number;
  readonly createdAt: Date;
}

/** Inserts a scan with its cases and tests; false if the tenant has one of this name. */
export async function insertScan(
  tx: Queries,
  scan: NewScan,
  tests: readonly PlannedTest[],
): Promise<boolean> {
  const rows = await tx.query(
    `insert into model_scan.scans (scan_id, run_id, tenant_id, owner_id, visibility, scan_name, sandbox, model, secrets,
        settings, seed, total, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      on conflict (tenant_id, scan_name) do nothing returning scan_id`,
    [
      scan.scanId,
      scan.runId,
      scan.tenantId,
      scan.ownerId,
      scan.visibility,
      scan.scanName,
      scan.sandbox,
      scan.model,
      scan.secrets,
      scan.settings,
      scan.seed,
      tests.length,
      scan.createdAt,
    ],
  );
  if (rows.length === 0) return false;
  const cases = [...new Map(tests.map((test) => [test.case.id, test.case])).values()];
  await inBatches(cases, async (batch) =>
    tx.query(
      `insert into model_scan.cases (scan_id, case_id, body)
        select $1, each.body ->> 'id', each.body from json_array_elements($2::json) as each(body)`,
      [scan.scanId, json(batch)],
    ),
  );
  const numbered = tests.map((test, i) => ({
    number: i + 1,
    case_id: test.case.id,
    dataset: test.case.dataset,
    subcategory: test.case.subcategory,
    severity: test.case.severity,
    topic: test.case.topic,
    algorithm: test.algorithm,
  }));
  await inBatches(numbered, async (batch) =>
    tx.query(
      `insert into model_scan.tests (scan_id, number, case_id, dataset, subcategory, severity, topic, algorithm)
        select $1, number, case_id, dataset, subcategory, severity, topic, algorithm
        from json_to_recordset($2::json) as each(number integer, case_id text, dataset text, subcategory text,
          severity text, topic text, algorithm text)`,
      [scan.scanId, json(batch)],
    ),
  );
  return true;
}

const batchSize = 500;

async function inBatches<T>(
  all: readonly T[],
  write: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < all.length; at += batchSize) await write(all.slice(at, at + batchSize));
}

export async function findScan(db: Queries, viewer: Viewer, scanId: string): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where ${readable('s')} and s.scan_id = $4`,
    [...viewerParams(viewer), scanId],
  );
  return row;
}

/** Of the tenant, by a name that is taken. */
export async function findByName(db: Queries, viewer: Viewer, scanName: string): Promise<Scan | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where ${changeable('s')} and s.scan_name = $4`,
    [...viewerParams(viewer), scanName],
  );
  return row;
}

export async function getByRun(db: Queries, runId: string): Promise<{ scan: Scan; secrets: Buffer }> {
  const [row] = await db.query<Row & { secrets: Buffer }>(
    `select ${columns}, s.secrets from ${from} where s.run_id = $1`,
    [runId],
  );
  if (row === undefined) throw new Error(`The run ${runId} has no scan.`);
  const { secrets, ...scan } = row;
  return { scan: scan as Scan, secrets };
}

/** Oldest first. */
export async function listScans(
  db: Queries,
  viewer: Viewer,
  { owner, since, status, limit, offset }: ListFilter,
): Promise<Scan[]> {
  return db.query<Row>(
    `select ${columns} from ${from} where ${listed('s')} and ($5::timestamptz is null or s.created_at >= $5)
        and ($6::text[] is null or ${statusColumn} = any($6))
      order by s.created_at, s.scan_id limit $7::integer offset $8::integer`,
    [...listParams(viewer, owner), since, status, limit ?? null, offset],
  );
}

export interface ListFilter {
  readonly owner: OwnerFilter;
  readonly since: Date | undefined;
  /** Scans in one of these states; undefined: all. */
  readonly status: readonly ScanStatus[] | undefined;
  /** Undefined: all. */
  readonly limit: number | undefined;
  readonly offset: number;
}

export async function setVisibility(db: Queries, scanId: string, visibility: string): Promise<void> {
  await db.query('update model_scan.scans set visibility = $2 where scan_id = $1', [scanId, visibility]);
}

/** Keeps that a scan was finished, before it and its run are deleted; nothing of one that does not count as usage. */
export async function keepUsage(tx: Queries, scanId: string): Promise<void> {
  await tx.query(
    `insert into model_scan.deleted_scans (scan_id, tenant_id, owner_id, visibility, created_at)
      select s.scan_id, s.tenant_id, s.owner_id, s.visibility, s.created_at from ${from}
        where s.scan_id = $1 and not s.sandbox and r.status = 'completed' for update of r
      on conflict (scan_id) do nothing`,
    [scanId],
  );
}

export async function deleteScan(tx: Queries, scanId: string): Promise<void> {
  await tx.query('delete from model_scan.scans where scan_id = $1', [scanId]);
}

export interface Usage extends Record<string, unknown> {
  total: number;
  first: Date | null;
  last: Date | null;
}

/** Finished scans without sandbox scans, deleted ones too, by their creation within the bounds. */
export async function countFinished(
  db: Queries,
  viewer: Viewer,
  { start, end }: { start: Date | undefined; end: Date | undefined },
): Promise<Usage> {
  const [row] = await db.query<Usage>(
    `select count(*) as total, min(s.created_at) as first, max(s.created_at) as last from (
        select s.tenant_id, s.owner_id, s.visibility, s.created_at from ${from}
          where s.tenant_id = $1 and not s.sandbox and r.status = 'completed'
        union all
        select tenant_id, owner_id, visibility, created_at from model_scan.deleted_scans where tenant_id = $1) s
      where ${readable('s')}
        and ($4::timestamptz is null or s.created_at >= $4) and ($5::timestamptz is null or s.created_at <= $5)`,
    [...viewerParams(viewer), start, end],
  );
  return row ?? { total: 0, first: null, last: null };
}

/** The summary as JSON text, exactly as it was stored; undefined until the scan is finished. */
export async function findSummary(db: Queries, scanId: string): Promise<unknown> {
  const [row] = await db.query<{ summary: unknown }>(
    'select summary from model_scan.scans where scan_id = $1',
    [scanId],
  );
  return row?.summary ?? undefined;
}

export async function setSecrets(tx: Queries, scanId: string, secrets: Buffer): Promise<void> {
  await tx.query('update model_scan.scans set secrets = $2 where scan_id = $1', [scanId, secrets]);
}

/** Id of the file of the report; undefined until it was made. */
export async function findReport(db: Queries, scanId: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string | null }>(
    'select report_id as id from model_scan.scans where scan_id = $1',
    [scanId],
  );
  return row?.id ?? undefined;
}

/** @returns the id that was there before */
export async function saveReport(
  db: Database,
  scanId: string,
  reportId: string,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ id: string | null }>(
      'select report_id as id from model_scan.scans where scan_id = $1 for update',
      [scanId],
    );
    await tx.query('update model_scan.scans set report_id = $2 where scan_id = $1', [scanId, reportId]);
    // Where the scan was deleted meanwhile, nothing refers to the new file.
    return row === undefined ? reportId : (row.id ?? undefined);
  });
}

/** Scans that stopped before a moment, oldest first. */
export async function listStoppedBefore(db: Queries, moment: Date, limit: number): Promise<Scan[]> {
  return db.query<Row>(
    `select ${columns} from ${from}
      where r.status in ('completed', 'failed', 'cancelled', 'paused') and r.updated_at < $1
      order by r.updated_at limit $2`,
    [moment, limit],
  );
}
