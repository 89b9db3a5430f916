import type { RunProgress } from '#base/jobs/runs/run.ts';
import type { Level, Ratings } from '#engine/mcp-servers/ratings.ts';
import type { Severity } from '#findings/severity.ts';
import type { OAuthMetadata } from '../live/oauth-metadata.ts';
import type { Shared, Visibility } from '#identity/sharing.ts';

export type ScanStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'needs_auth';
export type ScanType = 'file' | 'github' | 'mcp';

/** A server's definition without secrets: names of `env` and `headers`, their values masked. */
export interface StoredConfig {
  url?: string | undefined;
  transport?: 'http' | 'sse' | undefined;
  command?: string | undefined;
  args: string[];
  env: Record<string, string>;
  headers: Record<string, string>;
  allowNetwork: boolean;
  /** Its secrets come from a store of secrets: that they are in it is no finding. */
  areSecretsKept?: boolean;
}

/** A scan, without its results and without secrets. What it counts as is in `counting.ts`: that changes with suppressions. */
export interface Scan extends Shared {
  scanId: number;
  runId: string | null;
  scanType: ScanType;
  filename: string;
  uploadTime: Date;
  startedAt: Date | null;
  status: ScanStatus;
  stage: string | null;
  progress: RunProgress | null;
  githubUrl: string | null;
  revision: string | null;
  commitHash: string | null;
  serverName: string | null;
  config: StoredConfig | null;
  artifactId: string | null;
  batchId: string | null;
  parentScanId: number | null;
  parentScanName: string | null;
  cachedFromScanId: number | null;
  cachedFromScanName: string | null;
  publish: boolean;
  oauthMetadata: OAuthMetadata | null;
  authenticationRequired: boolean;
  contentHash: string | null;
  rulesVersion: string | null;
  errorMessage: string | null;
  finishedAt: Date | null;
  complexity: Level | null;
  sensitivity: Level | null;
  complexityReasoning: string | null;
  sensitivityReasoning: string | null;
  flaggedCount: number;
  toolCount: number;
  serverCount: number;
  promptTokens: number;
  completionTokens: number;
  llmCost: number;
}

/** What a new scan starts with. */
export interface NewScan {
  runId: string | null;
  tenantId: string;
  ownerId: string;
  visibility: Visibility;
  scanType: ScanType;
  filename: string;
  uploadTime: Date;
  githubUrl?: string | undefined;
  revision?: string | undefined;
  serverName?: string | undefined;
  serverKey?: string | undefined;
  config?: StoredConfig | undefined;
  secrets?: Uint8Array | undefined;
  token?: Uint8Array | undefined;
  artifactId?: string | undefined;
  batchId?: string | undefined;
  parentScanId?: number | undefined;
  publish?: boolean | undefined;
  contentHash?: string | undefined;
}

/** What the end of a scan writes into its row. */
export interface Rated {
  ratings: Ratings;
  score: number;
  vulnerabilityCount: number;
  severities: Partial<Record<Severity, number>>;
  flaggedCount: number;
  toolCount: number;
  serverCount: number;
  /** Whether any source or tool was seen; undefined in ratings of earlier versions. */
  wasRead?: boolean;
}
