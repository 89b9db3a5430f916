import type { Artifacts } from '#base/artifacts/artifacts.ts';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Run } from '#base/jobs/runs/run.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { StdioPolicy } from '../live/dial.ts';
import type { ProjectLimits } from '../scanning/read-project.ts';
import type { ScanResult } from '../scanning/result.ts';
import type { ScanTools } from '../scanning/scan-project.ts';
import type { Scan } from './scan.ts';

/** What scans are executed with. */
export interface ExecuteDeps extends ScanTools {
  db: Database;
  clock: Clock;
  artifacts: Artifacts;
  outbound: Outbound;
  vault: Vault;
  limits: ProjectLimits;
  timeoutMs: number;
  memoryBytes: number;
  repositoryHosts: readonly string[];
  fileCacheMs: number;
  repositoryCacheMs: number;
  stdio: StdioPolicy;
  /** That stdio servers may read. */
  readableFolders: readonly string[];
  npmRegistry: string | undefined;
  connectTimeoutMs: number;
  version: string;
  /** Of everything that decides what is found. */
  rulesVersion: string;
  costOf: (usage: ScanResult['usage']) => number;
  /** Whether the scan's owner may give a stdio server the network. */
  mayUseNetwork: (scan: Pick<Scan, 'ownerId'>) => Promise<boolean>;
}

export interface ScanInput {
  scanId: number;
}

export type ScanRun = Run<ScanInput, never>;
export interface Found {
  result: ScanResult;
  contentHash?: string;
  /** Whether a repository was scanned at the newest commit of its default branch. */
  isHead?: boolean;
  cachedFrom?: Scan;
}
