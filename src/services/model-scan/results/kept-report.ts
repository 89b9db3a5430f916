/** The report of a scan: made once, and kept as a file as long as the scan. */
import { Readable } from 'node:stream';
import type { Artifacts } from '#base/artifacts/artifacts.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import { renderReport } from '#reports/render-report.ts';
import type { Scan } from '../records/scan.ts';
import { findReport, saveReport } from '../records/store.ts';
import { reportOf } from './report.ts';
import type { ScanSummary } from './summarise.ts';

export interface ReportDeps {
  readonly db: Database;
  readonly artifacts: Artifacts;
  readonly log: Logger;
}

const limitBytes = 100 * 1024 ** 2;
const ownerOf = ({ tenantId, ownerId }: Scan) => ({ tenantId, userId: ownerId });

/**
 * The PDF. Two requests at once may both make it: their bytes are equal, and the file that is not referred to is deleted.
 * @throws AppError 503 where too many reports are being made
 */
export async function keptReport(deps: ReportDeps, scan: Scan, summary: ScanSummary): Promise<Buffer> {
  const { db, artifacts, log } = deps;
  const kept = await openKept(deps, scan);
  if (kept !== undefined) return kept;
  const pdf = Buffer.from(await renderReport(reportOf(scan, summary)));
  try {
    const { id } = await artifacts.put(ownerOf(scan), Readable.from([pdf], { objectMode: false }), {
      limitBytes,
      name: `${scan.scanId}.pdf`,
      mediaType: 'application/pdf',
    });
    const replaced = await saveReport(db, scan.scanId, id);
    if (replaced !== undefined) await artifacts.delete(ownerOf(scan), replaced);
  } catch (err) {
    // Where the tenant has no room left for files, the report is still answered, and made again the next time.
    if (!(err instanceof AppError)) throw err;
    log.warn({ err, scan_id: scan.scanId }, 'the report of a scan could not be kept');
  }
  return pdf;
}

async function openKept({ db, artifacts }: ReportDeps, scan: Scan): Promise<Buffer | undefined> {
  const id = await findReport(db, scan.scanId);
  if (id === undefined || (await artifacts.find(ownerOf(scan), id)) === undefined) return undefined;
  const opened = await artifacts.open(ownerOf(scan), id).catch((error: unknown) => {
    // After a restore without the files, the report is made anew.
    if (error instanceof AppError && error.status === 410) return undefined;
    throw error;
  });
  if (opened === undefined) return undefined;
  const { content } = opened;
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Deletes the file of a scan that is deleted; one that is gone already is none of its concern. */
export async function deleteReport(deps: ReportDeps, scan: Scan): Promise<void> {
  const id = await findReport(deps.db, scan.scanId);
  if (id === undefined || (await deps.artifacts.find(ownerOf(scan), id)) === undefined) return;
  await deps.artifacts.delete(ownerOf(scan), id);
}
