/** What became of one file of tests. */
export interface FileReport {
  /** A path below the root. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly wallMs: number;
  /** Of the process that ran it; of the programs that its tests started, none. */
  readonly cpuMs: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  /** The test's name, and where it stands. */
  readonly name: string;
  /** The error, with its causes and stack. */
  readonly text: string;
}

/** What a worker tells the process that started it. */
export type WorkerMessage =
  | { readonly kind: 'begun'; readonly test: string }
  | { readonly kind: 'report'; readonly report: FileReport; readonly residentBytes: number };

/** The report of a file whose tests could not be told one by one. */
export const failedWhole = (file: string, wallMs: number, text: string): FileReport => ({
  file,
  passed: 0,
  failed: 1,
  skipped: 0,
  wallMs,
  cpuMs: 0,
  failures: [{ name: file, text }],
});
