import type { Observation } from '#findings/finding.ts';
import type { Grammar } from './parse/grammars.ts';

/** One file of what is to be analysed. */
export interface SourceFile {
  /** Relative, with slashes. */
  path: string;
  text: string;
  /** What it is read as where its name does not say it, or where its folder is left out and something loads it. */
  grammar?: Grammar;
  /** The project's manifest starts it: it is no test and no example, whatever its folder is called. */
  isStarted?: true;
}

/** Why bytes were present and not analysed. */
export type SkipReason =
  | 'file-too-large'
  | 'too-deeply-nested'
  | 'dependency'
  | 'parse-time'
  | 'time'
  /** Its analysis took more memory than the thread may. */
  | 'memory'
  | 'parse-error';

export interface Coverage {
  /** Bytes of source in the five languages. */
  presentBytes: number;
  analysedBytes: number;
  /** What was not read, with the reason, a row for each file. */
  skipped: { path: string; bytes: number; reason: SkipReason }[];
  /** Files in other languages or formats: no source that this analyser reads. */
  otherFiles: number;
  /** False where not all ways were followed. */
  isComplete: boolean;
  /** Why not: the time was up, or there is too much source to keep all of it in memory. */
  notFollowed?: 'time' | 'size';
}

/** A tool, resource, prompt or route that the source offers. */
export interface Entrance {
  kind: 'tool' | 'resource' | 'prompt' | 'instructions' | 'http' | 'exported';
  name: string;
  description: string;
  title?: string;
  /** JSON Schema, as far as it is written in the source. */
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  /** A part of its description is put together while the server runs: what is not written was not read. */
  isUnread?: true;
  path: string;
  line: number;
}

/** A way that was seen and could not be followed. */
export interface Limit {
  rule: string;
  title: string;
  path: string;
  line: number;
}

export interface SourceAnalysis {
  observations: Observation[];
  coverage: Coverage;
  surface: Entrance[];
  /** What was read, and not understood. */
  limits: Limit[];
  /** A server of the protocol is made, also where nothing of what it offers was seen. */
  makesServer: boolean;
}

export interface SourceLimits {
  /** Of one file; what is behind it is left out and said. */
  fileBytes: number;
  /** Nesting of the syntax tree. */
  depth: number;
  /** Of all files whose values are followed; in others each file is only looked at by itself. */
  followedBytes: number;
  /** To parse one file: processor time of the thread, so that a busy machine reads no less than a quiet one. */
  parseMs: number;
  /** To parse and to follow all ways, by the clock: a scan ends when it was said to. */
  totalMs: number;
  /** Evaluated expressions in all; a limit that does not depend on the machine. */
  steps: number;
}

export const presetLimits: SourceLimits = {
  fileBytes: 2_000_000,
  followedBytes: 10_000_000,
  depth: 300,
  parseMs: 5_000,
  totalMs: 60_000,
  steps: 20_000_000,
};

/** How far an analysis is: which file is read or followed now. */
export interface AnalysisProgress {
  stage: 'reading' | 'following';
  path: string;
  /** Files begun, of all. */
  done: number;
  total: number;
}
