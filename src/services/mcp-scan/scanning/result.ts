import type { DescribedTool } from '#engine/descriptions/tool.ts';
import type { Package } from '#engine/mcp-servers/dependencies/package.ts';
import type { Ratings } from '#engine/mcp-servers/ratings.ts';
import type { Finding, Rule } from '#findings/finding.ts';

/** A tool, resource or prompt that a scan has seen. */
export interface ScannedTool extends DescribedTool {
  /** Where its source stands; undefined for one that a server listed. */
  path?: string | undefined;
  line?: number | undefined;
  /** A part of its description is put together while the server runs, and was not read in the source. */
  isUnread?: true;
  /** SHA-256 of each part that an agent reads, in a form that does not depend on the order of keys. */
  hashes: Record<string, string>;
}

export interface TextGuardItem {
  toolName: string;
  /** What bears the name; undefined in results of earlier versions, whose items stand in the order of the tools. */
  kind?: DescribedTool['kind'] | undefined;
  flagged: boolean;
  categories: string[];
  categoryScores: Record<string, number>;
  explanation: Record<string, string>;
  /** What judged: the version of the signs, and the engine or model beside them. */
  model: string;
  description: string;
}

export interface Coverage {
  /** Of everything in the archive or folder. */
  files: number;
  bytes: number;
  /** Of source in languages that the analyser knows. */
  sourceBytes: number;
  analysedBytes: number;
  /** False where the analysis ran out of time, or files of the project were not read. */
  isComplete: boolean;
  /** What was not read, with the reason. */
  skipped: { path: string; bytes: number; reason: string }[];
  /** More than are named in `skipped`. */
  skippedTotal: number;
}

export type DepsChecked = 'api' | 'db' | 'none';

export interface Usage {
  promptTokens: number;
  completionTokens: number;
}

/** Everything that a scan has found out. */
export interface ScanResult {
  findings: Finding[];
  /** Findings beyond the most that are kept; the worst are kept. */
  leftOut: number;
  rules: Rule[];
  tools: ScannedTool[];
  textguard: TextGuardItem[];
  packages: Package[];
  depsChecked: DepsChecked;
  /** Undefined where there was no source. */
  coverage: Coverage | undefined;
  lines: number;
  directDependencies: number;
  ratings: Ratings;
  score: number;
  summary: string;
  /** Servers of the configurations that were found. */
  servers: string[];
  /** What the scan could not do, in sentences. */
  notes: string[];
  /** Name and version that a live server gave, its protocol, and the like. */
  server: Record<string, unknown> | undefined;
  usage: Usage;
}
