import { createClient } from '#base/contract/client.ts';
import { createOperations } from '#services/mcp-scan/contract/create.ts';
import { leaderboardOperations } from '#services/mcp-scan/contract/leaderboard.ts';
import { scanOperations } from '#services/mcp-scan/contract/scans.ts';
import { suppressionOperations } from '#services/mcp-scan/contract/suppressions.ts';
import { authorisedFetch } from '../session/session.ts';

const baseUrl = '/services/mcp-scan';

export const mcpScan = createClient(
  { ...createOperations, ...scanOperations, ...leaderboardOperations, ...suppressionOperations },
  // A large archive takes longer than other requests.
  { baseUrl, fetch: authorisedFetch, timeoutMs: 600_000 },
);

/** The first part of every key. */
export const scanKey = ['mcp-scan'] as const;

export type ScanSummary = Awaited<ReturnType<typeof mcpScan.listScans>>['scans'][number];
export type Scan = Extract<Awaited<ReturnType<typeof mcpScan.getScan>>, { result_data: unknown }>;
export type ScanResult = NonNullable<Scan['result_data']>;
export type Finding = ScanResult['vulnerabilities'][number];
export type ScannedTool = ScanResult['tools'][number];
export type ToolVerdict = ScanResult['textguard_results'][number];
export type Comparison = Awaited<ReturnType<typeof mcpScan.compareScans>>;
export type ToolChange = Comparison['tools'][number];
export type PublishedServer = Awaited<ReturnType<typeof mcpScan.listLeaderboard>>['servers'][number];
export type Batch = Awaited<ReturnType<typeof mcpScan.processConfig>>;

/** A scan with all its results. */
export async function getScan(scanId: number): Promise<Scan> {
  const scan = await mcpScan.getScan({ params: { scan_id: scanId }, query: {} });
  if (!('result_data' in scan)) throw new Error('The MCP scan answered something else than a scan.');
  return scan as Scan;
}

export const isUnderWay = ({ status }: Pick<ScanSummary, 'status'>): boolean =>
  status === 'pending' || status === 'processing';

/** Saves what an operation answers as a file. */
export async function download(path: string, name: string): Promise<void> {
  const response = await authorisedFetch(`${baseUrl}${path}`);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
