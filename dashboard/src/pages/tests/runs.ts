import type { ScanSummary } from '../../api/mcp-scan.ts';
import type { Scan } from '../../api/model-scan.ts';
import type { Run as RedTeamRun } from '../../api/red-team.ts';

export type RunState = 'under way' | 'completed' | 'failed' | 'waiting';

type Link =
  | { readonly to: '/mcp-scans/$scanId'; readonly params: { scanId: string } }
  | { readonly to: '/model-scans/$scanId'; readonly params: { scanId: string } }
  | { readonly to: '/red-team/runs/$runId'; readonly params: { runId: string } };

/** A test of any kind, under way or ended. */
export interface Run {
  readonly key: string;
  readonly kind: 'MCP scan' | 'model scan' | 'red team';
  readonly name: string;
  /** What is tested, if the name does not say it. */
  readonly of: string | undefined;
  readonly state: RunState;
  /** The service's word for the state. */
  readonly word: string;
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly at: string;
  readonly link: Link;
}

const mcpStates: Record<ScanSummary['status'], RunState> = {
  pending: 'waiting',
  processing: 'under way',
  completed: 'completed',
  failed: 'failed',
  needs_auth: 'waiting',
};

export const ofMcpScan = (scan: ScanSummary): Run => ({
  key: `mcp ${scan.id}`,
  kind: 'MCP scan',
  name: scan.filename,
  of: undefined,
  state: mcpStates[scan.status],
  word: scan.status === 'needs_auth' ? 'needs a token' : mcpStates[scan.status],
  progress: undefined,
  at: scan.upload_time,
  link: { to: '/mcp-scans/$scanId', params: { scanId: String(scan.id) } },
});

const modelStates: Record<Scan['status'], RunState> = {
  Initializing: 'under way',
  Scanning: 'under way',
  Paused: 'waiting',
  Finished: 'completed',
  Failed: 'failed',
  Error: 'failed',
};

export const ofModelScan = (scan: Scan): Run => ({
  key: `model ${scan.scan_id}`,
  kind: 'model scan',
  name: scan.scan_name,
  of: scan.model_name,
  state: modelStates[scan.status],
  word: scan.status === 'Paused' ? 'paused' : modelStates[scan.status],
  progress: { done: scan.passed_line, total: scan.total },
  at: scan.created_at,
  link: { to: '/model-scans/$scanId', params: { scanId: scan.scan_id } },
});

const redTeamStates: Record<RedTeamRun['status'], RunState> = {
  created: 'waiting',
  running: 'under way',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
};

export const ofRedTeamRun = ({ run_id: runId, counts, status, config, ...run }: RedTeamRun): Run => ({
  key: `red team ${runId}`,
  kind: 'red team',
  name: run.evaluation_name,
  of: config.gateway_name === null ? undefined : `through the gateway ${config.gateway_name}`,
  state: redTeamStates[status],
  word: status === 'created' || status === 'cancelled' ? status : redTeamStates[status],
  progress: { done: counts.passed + counts.failed + counts.error + counts.cancelled, total: counts.total },
  at: run.created_at,
  link: { to: '/red-team/runs/$runId', params: { runId } },
});
