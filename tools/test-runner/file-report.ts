/** The outcome of one test file. */
export interface FileReport {
  /** A path relative to the root. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly wallMs: number;
  /** CPU time of the process that ran it, without child processes. */
  readonly cpuMs: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  /** The test's name and location. */
  readonly name: string;
  /** The error, with its causes and stack. */
  readonly text: string;
}

/** Message from a worker to the parent process. */
export type WorkerMessage =
  | { readonly kind: 'begun'; readonly test: string }
  | { readonly kind: 'report'; readonly report: FileReport; readonly residentBytes: number };

/** The report of a file whose tests could not be reported individually. */
export const failedWhole = (file: string, wallMs: number, text: string): FileReport => ({
  file,
  passed: 0,
  failed: 1,
  skipped: 0,
  wallMs,
  cpuMs: 0,
  failures: [{ name: file, text }],
});
