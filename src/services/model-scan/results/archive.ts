/** The download of a finished scan, as a stream. */
import { Readable } from 'node:stream';
import { writeZip } from '#base/archives/write-zip.ts';
import type { Queries } from '#base/db/database.ts';
import type { Scan } from '../records/scan.ts';
import { keptReport, type ReportDeps } from './kept-report.ts';
import { listResults } from './store.ts';
import type { ScanSummary } from './summarise.ts';

/**
 * The report is made before the stream begins, so that its failure is an answer and not a broken file.
 * @throws AppError 503 where too many reports are being made
 */
export async function archiveOf(deps: ReportDeps, scan: Scan, summary: ScanSummary): Promise<Readable> {
  const { db, log } = deps;
  const pdf = await keptReport(deps, scan, summary);
  const zip = writeZip();
  const modified = scan.finishedAt ?? scan.createdAt;
  const write = async () => {
    await zip.add('results.jsonl', Readable.from(lines(db, scan.scanId), { objectMode: false }), {
      modified,
    });
    await zip.add('summary.json', `${JSON.stringify(summary, null, 2)}\n`, { modified });
    await zip.add('report.pdf', pdf, { modified });
    zip.end();
  };
  write().catch((err: unknown) => {
    // A reader that went away is none of our errors.
    if (!zip.output.destroyed) log.error({ err, scan_id: scan.scanId }, 'a download of a scan broke off');
    zip.output.destroy(err as Error);
  });
  return zip.output;
}

const pageSize = 100;

async function* lines(db: Queries, scanId: string): AsyncGenerator<Buffer, void, undefined> {
  for (let after = 0; ;) {
    const page = await listResults(db, scanId, { after, limit: pageSize });
    for (const row of page) yield Buffer.from(`${JSON.stringify(row)}\n`);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}
