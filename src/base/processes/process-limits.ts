/** Resource limits of a child process. Omitted ones are unlimited. */
export interface ProcessLimits {
  /** Resident memory of all its processes together; excluding files in the private /tmp. */
  readonly memoryBytes?: number;
  /** Processor time of all its processes together. */
  readonly cpuMs?: number;
  /** Wall-clock time. */
  readonly wallMs?: number;
  /** Size of standard output and standard error together. */
  readonly outputBytes?: number;
  /** Size of the largest file it may write. */
  readonly fileBytes?: number;
  /** Concurrent processes; each thread counts as one, so Node needs about 16. */
  readonly processes?: number;
  /** Open files of each process. */
  readonly openFiles?: number;
  /** The least pause between two looks at its use; default: 40. Programs that run for hours need few. */
  readonly watchEveryMs?: number;
}

/** Why a process has ended. */
export type EndReason =
  | 'exited'
  | 'crashed'
  | 'memory'
  | 'cpu_time'
  | 'wall_time'
  | 'output'
  | 'file_size'
  | 'processes'
  | 'aborted'
  | 'stopped';

/**
 * The kernel's limits are set above the watched ones: a program that exceeds a limit slowly is ended with a
 * reason, one faster than the watcher hits the kernel's limit.
 */
const kernelMemory = (bytes: number) => bytes + 1024 ** 3;
const kernelProcesses = (processes: number) => Math.ceil(1.25 * processes) + 8;

/**
 * The arguments of `prlimit` for the limits. Memory is RLIMIT_DATA, not RLIMIT_AS: runtimes such as Node and Go reserve
 * many times the address space that they use. RLIMIT_DATA also exceeds real use: an idle Node has 570 MiB.
 *
 * @param countsProcesses false if the kernel would count other processes of the same user
 */
export function prlimitArgs(limits: ProcessLimits, countsProcesses: boolean): string[] {
  const { memoryBytes, cpuMs, fileBytes, processes, openFiles } = limits;
  const both = (name: string, value: number) => `--${name}=${value}:${value}`;
  const cpuSeconds = Math.ceil((cpuMs ?? 0) / 1000) + 1;
  return [
    both('core', 0),
    ...(memoryBytes === undefined ? [] : [both('data', kernelMemory(memoryBytes))]),
    // The soft limit sends SIGXCPU, which says why; the hard one kills.
    ...(cpuMs === undefined ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + 1}`]),
    ...(fileBytes === undefined ? [] : [both('fsize', fileBytes)]),
    ...(openFiles === undefined ? [] : [both('nofile', openFiles)]),
    ...(processes === undefined || !countsProcesses ? [] : [both('nproc', kernelProcesses(processes))]),
  ];
}

const mebibytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1024 ** 2))} MiB`;
const seconds = (ms: number) => `${ms / 1000} s`;

const endSentences: Readonly<Record<EndReason, (limits: ProcessLimits, how: string) => string>> = {
  exited: (_limits, how) => `The program ${how}.`,
  crashed: (_limits, how) => `The program ${how}.`,
  memory: ({ memoryBytes = 0 }) =>
    `The program used more than ${mebibytes(memoryBytes)} of memory and was ended.`,
  cpu_time: ({ cpuMs = 0 }) =>
    `The program used more than ${seconds(cpuMs)} of processor time and was ended.`,
  wall_time: ({ wallMs = 0 }) => `The program had not finished after ${seconds(wallMs)} and was ended.`,
  output: ({ outputBytes = 0 }) =>
    `The program wrote more than ${outputBytes} bytes of output and was ended.`,
  file_size: ({ fileBytes = 0 }) => `The program wrote a file of more than ${fileBytes} bytes and was ended.`,
  processes: ({ processes = 0 }) => `The program started more than ${processes} processes and was ended.`,
  aborted: () => 'The program was ended because its caller gave up.',
  stopped: () => 'The program was stopped.',
};

/** A readable message on why a program ended. */
export const endMessage = (reason: EndReason, limits: ProcessLimits, how: string): string =>
  endSentences[reason](limits, how);
