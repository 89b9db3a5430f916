import { createClient, refusalOf } from '#base/contract/client.ts';
import { defenceOperations } from '#services/model-scan/contract/defence.ts';
import { ownDataSetOperations } from '#services/model-scan/contract/own-data-sets.ts';
import { resultOperations } from '#services/model-scan/contract/results.ts';
import { moreScanOperations, scanOperations } from '#services/model-scan/contract/scans.ts';
import { authorisedFetch } from '../session/session.ts';

const baseUrl = '/services/model-scan';

export const modelScan = createClient(
  {
    ...scanOperations,
    ...moreScanOperations,
    ...resultOperations,
    ...defenceOperations,
    ...ownDataSetOperations,
  },
  { baseUrl, fetch: authorisedFetch },
);

/** The first part of every key; what changes a scan changes what all pages show. */
export const modelScanKey = ['model-scan'] as const;

export type Scan = Extract<Awaited<ReturnType<typeof modelScan.getProgress>>, { scan_id: string }>;
export type Summary = Awaited<ReturnType<typeof modelScan.getSummary>>;
export type Result = Awaited<ReturnType<typeof modelScan.listResults>>['results'][number];
export type DefenceFound = Awaited<ReturnType<typeof modelScan.defendResult>>;
export type DefenceProposal = DefenceFound['proposals'][number];
export type OwnDataSet = Awaited<ReturnType<typeof modelScan.listOwnDataSets>>['datasets'][number];

export async function listScans(owner: 'me' | 'all'): Promise<readonly Scan[]> {
  return [await modelScan.getProgress({ body: { owner } })].flat().toReversed();
}

export async function getScan(scanId: string): Promise<Scan> {
  const [scan] = [await modelScan.getProgress({ body: { scan_id: scanId } })].flat();
  if (scan === undefined) throw new Error('The service answered no scan.');
  return scan;
}

export const isRunning = ({ status }: Scan): boolean => status === 'Scanning' || status === 'Initializing';

/** Saves the report, or the archive of all results, as a file. */
export async function saveFile(scanId: string, kind: 'report' | 'archive'): Promise<void> {
  const response =
    kind === 'report'
      ? await authorisedFetch(`${baseUrl}/v1/scan/${encodeURIComponent(scanId)}/report`)
      : await authorisedFetch(`${baseUrl}/v1/scan/download`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ scan_id: scanId }),
        });
  if (!response.ok) throw await refusalOf(response);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${scanId}.${kind === 'report' ? 'pdf' : 'zip'}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
