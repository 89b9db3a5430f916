import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { Transform, type Readable, type Writable } from 'node:stream';
import { AppError } from '../errors.ts';
import { guard } from './guardian.ts';
import { ProcessGroup } from './process-group.ts';
import { endMessage, prlimitArgs, type EndReason, type ProcessLimits } from './process-limits.ts';
import { newMark, prlimitMark } from './process-mark.ts';
import { resolveCommand } from './resolve-command.ts';
import { exports, type SandboxKind } from './sandbox-launch.ts';
import { chooseSandbox, launchOf, launcherPath, type SandboxOptions } from './sandbox.ts';
import { watchLimits, type LimitWatch, type Usage } from './watch-limits.ts';

export interface ProcessOptions {
  /** A name to find in `searchPath`, or an absolute path. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Colon-separated folders; default: those of installed software. */
  readonly searchPath?: string;
  /** Its whole environment. In a sandbox, missing `PATH`, `HOME` and `TMPDIR` are added. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `/tmp` in a sandbox, else ours. */
  readonly cwd?: string;
  readonly limits?: ProcessLimits;
  /** Without it the program runs with our rights; limits and cleanup still apply. */
  readonly sandbox?: SandboxOptions;
  /** Time to exit voluntarily; default: 500 after closing its input and 2,000 after SIGTERM. */
  readonly grace?: { readonly closeInputMs: number; readonly terminateMs: number };
  /** Aborting it ends the program. */
  readonly signal?: AbortSignal;
  /** Pipes that it may write to besides standard output: descriptors {@link firstPipe} and up. Default: none. */
  readonly pipes?: number;
}

/** Descriptor of the first of {@link ProcessOptions.pipes}; the one before carries the environment of a sandbox. */
export const firstPipe = 4;

/** Exit of the program itself; one of the two is null. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessEnd extends Usage, ProgramExit {
  readonly reason: EndReason;
  /** A readable sentence. */
  readonly message: string;
  readonly wallMs: number;
}

export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  readonly sandbox: SandboxKind | 'none';
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** As many as asked for; not counted as output. */
  readonly pipes: readonly Readable[];
  /** Resolves as soon as the program itself has ended; its children may still run. */
  readonly exited: Promise<ProgramExit>;
  /** Resolves when the program and all its descendants have ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Sends SIGTERM, later SIGKILL. */
  stop(): Promise<ProcessEnd>;
}

const presetGrace = { closeInputMs: 500, terminateMs: 2000 };
const prlimit = '/usr/bin/prlimit';
const hasPrlimit = process.platform === 'linux' && existsSync(prlimit);

interface Plan {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Environment to write to descriptor 3. */
  readonly exported: string | undefined;
  readonly kind: SandboxKind | 'none';
  readonly mark: string | undefined;
}

async function planOf(options: ProcessOptions): Promise<Plan> {
  const { args = [], env = {}, limits = {}, sandbox, searchPath = launcherPath } = options;
  const command = resolveCommand(options.command, searchPath);
  const chosen = sandbox === undefined ? undefined : await chooseSandbox(sandbox);
  if (sandbox !== undefined && chosen !== undefined && chosen.kind !== 'none') {
    const cwd = options.cwd ?? '/tmp';
    const launch = launchOf({ command, args, cwd, limits }, sandbox);
    const within = { PATH: launcherPath, HOME: '/tmp', TMPDIR: '/tmp', ...env };
    const made = chosen.make(launch);
    return {
      ...made,
      env: { PATH: launcherPath },
      exported: exports(within),
      kind: chosen.kind,
      mark: undefined,
    };
  }
  if (!hasPrlimit) return { file: command, args, env, exported: undefined, kind: 'none', mark: undefined };
  const mark = newMark();
  return {
    file: prlimit,
    args: [prlimitMark(mark), ...prlimitArgs(limits, false), '--', command, ...args],
    env,
    exported: undefined,
    kind: 'none',
    mark,
  };
}

/**
 * Starts a program in its own process group. However it or we end, it and all its descendants are
 * terminated.
 * @throws AppError 502 `command_not_found`, `command_failed`; 503 `no_sandbox`; the signal's reason
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { signal, pipes = 0 } = options;
  signal?.throwIfAborted();
  const plan = await planOf(options);
  signal?.throwIfAborted();
  // Guard the mark before the start, so that there is no moment without cleanup.
  const release = plan.mark === undefined ? () => undefined : guard(`m${plan.mark}`);
  const child = spawn(plan.file, plan.args, {
    env: { ...plan.env },
    ...(plan.kind === 'none' && options.cwd !== undefined && { cwd: options.cwd }),
    stdio: [
      'pipe',
      'pipe',
      'pipe',
      plan.exported === undefined ? 'ignore' : 'pipe',
      ...Array.from({ length: pipes }, () => 'pipe' as const),
    ],
    detached: true,
  });
  for (const stream of [child.stdin, ...child.stdio.slice(3)]) stream?.on('error', () => undefined);
  const { pid } = child;
  if (pid === undefined) {
    const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
    release();
    throw new AppError(502, 'command_failed', `The command ${options.command} cannot be run.`, { cause });
  }
  child.on('error', () => undefined);
  (child.stdio[3] as Writable | null)?.end(plan.exported);
  const releaseGroup = guard(`g${pid}`);
  return new StartedProcess(child, pid, plan, options, () => {
    releaseGroup();
    release();
  });
}

/** Number of the sandbox's own processes: its launcher and its first process or shell. */
const launchers = { none: 0, bubblewrap: 2, namespaces: 2 };

class StartedProcess implements RunningProcess {
  readonly pid: number;
  readonly sandbox: SandboxKind | 'none';
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipes: readonly Readable[];
  readonly exited: Promise<ProgramExit>;
  readonly ended: Promise<ProcessEnd>;
  readonly #limits: ProcessLimits;
  readonly #grace: NonNullable<ProcessOptions['grace']>;
  readonly #group: ProcessGroup;
  readonly #watch: LimitWatch | undefined;
  readonly #startedMs = performance.now();
  #reason: EndReason | undefined;
  #ending: Promise<void> | undefined;
  #outputBytes = 0;

  constructor(
    child: ChildProcess,
    pid: number,
    { kind, mark }: Plan,
    { limits = {}, grace = presetGrace, signal }: ProcessOptions,
    release: () => void,
  ) {
    this.pid = pid;
    this.sandbox = kind;
    this.#limits = limits;
    this.#grace = grace;
    this.#group = new ProcessGroup(pid, mark, kind !== 'none');
    this.stdin = child.stdin as Writable;
    this.stdout = this.#counted(child.stdout as Readable);
    this.stderr = this.#counted(child.stderr as Readable);
    this.pipes = child.stdio.slice(firstPipe) as Readable[];
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, by) => {
        const exit = { code, signal: by };
        resolve(kind === 'none' ? exit : fromStatus(exit));
      });
    });
    const { memoryBytes, cpuMs, processes, wallMs } = limits;
    const isWatched = [memoryBytes, cpuMs, processes].some((limit) => limit !== undefined);
    if (isWatched)
      this.#watch = watchLimits(pid, limits, launchers[kind], (reason) => void this.#end(reason, true));
    const timer =
      wallMs === undefined ? undefined : setTimeout(() => void this.#end('wall_time', true), wallMs);
    const aborted = () => void this.#end('aborted', false);
    signal?.addEventListener('abort', aborted);
    this.ended = this.#waitForEnd().finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      release();
    });
  }

  async stop(): Promise<ProcessEnd> {
    void this.#end('stopped', false);
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #waitForEnd(): Promise<ProcessEnd> {
    const { code, signal } = await this.exited;
    this.#watch?.stop();
    const usage = this.#watch?.usage() ?? { cpuMs: 0, peakMemoryBytes: 0 };
    // End leftover descendants too.
    const reason = this.#reason ?? this.#reasonOf(code, signal, usage);
    this.#reason = reason;
    this.#ending ??= this.#group.end(this.#grace.terminateMs);
    await this.#ending;
    const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
    return {
      reason,
      message: endMessage(reason, this.#limits, how),
      code,
      signal,
      wallMs: performance.now() - this.#startedMs,
      ...usage,
    };
  }

  #reasonOf(code: number | null, signal: NodeJS.Signals | null, { peakMemoryBytes }: Usage): EndReason {
    const { memoryBytes = Infinity } = this.#limits;
    if (signal === 'SIGXCPU') return 'cpu_time';
    if (signal === 'SIGXFSZ') return 'file_size';
    // It hit the kernel's limit before the watcher noticed.
    if (code !== 0 && peakMemoryBytes > 0.9 * memoryBytes) return 'memory';
    return signal === null ? 'exited' : 'crashed';
  }

  #end(reason: EndReason, atOnce: boolean): Promise<void> {
    this.#reason ??= reason;
    if (atOnce) return (this.#ending ??= this.#group.end(0));
    const gently = async () => {
      this.stdin.end();
      if (await this.#group.isGoneWithin(this.#grace.closeInputMs)) return;
      await this.#group.end(this.#grace.terminateMs);
    };
    return (this.#ending ??= gently());
  }

  /** Counts the stream's bytes and ends the program if it writes too much. */
  #counted(stream: Readable): Readable {
    const { outputBytes } = this.#limits;
    if (outputBytes === undefined) return stream;
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const room = Math.max(0, outputBytes - this.#outputBytes);
        this.#outputBytes += chunk.length;
        if (chunk.length > room) void this.#end('output', true);
        done(null, chunk.subarray(0, room));
      },
    });
    return stream.pipe(counted);
  }
}

/** Sandbox launchers report signals as shells do: status 128 plus the signal's number. */
function fromStatus({ code, signal }: ProgramExit): ProgramExit {
  const number = (code ?? 0) - 128;
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found === undefined ? { code, signal } : { code: null, signal: found[0] as NodeJS.Signals };
}
