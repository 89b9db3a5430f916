import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { bubblewrap } from './bubblewrap.ts';
import { namespaces } from './namespaces.ts';
import { prlimitArgs, type ProcessLimits } from './process-limits.ts';
import { exports, unusedId, type Launch, type Launchable, type SandboxKind } from './sandbox-launch.ts';
import { sandboxView, type Mount } from './sandbox-view.ts';

/** How to sandbox a program. */
export interface SandboxOptions {
  /**
   * `required`: fails without a sandbox. `preferred`: if none can be made the program runs without, and `onWarning`
   * is called; limits and cleanup still apply.
   */
  readonly policy: 'required' | 'preferred';
  /** Gives access to the host's network, loopback included; default: no network. */
  readonly network?: boolean;
  /** Additional mounts besides installed software and its own file. */
  readonly mounts?: readonly Mount[];
  /** Size of its private /tmp (also its home, a tmpfs); default: 64 MiB. */
  readonly tmpBytes?: number;
  readonly onWarning?: (message: string) => void;
  /** Of {@link unusedId}, for programs that must see the same one; default: another at each start. */
  readonly userId?: number;
  /** Forces a kind of sandbox; for tests. */
  readonly kind?: SandboxKind;
}

/** A kind of sandbox that works on this machine, or why none does. */
export type FoundSandbox =
  | { readonly kind: SandboxKind; readonly make: (launch: Launch) => Launchable }
  | { readonly kind: 'none'; readonly why: string };

const isRoot = () => process.getuid?.() === 0;

const makers = { bubblewrap, namespaces };
/** Where to find the sandbox programs; our own `PATH` is ignored. */
export const launcherPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const defaultTmpBytes = 64 * 1024 ** 2;
const trialMs = 10_000;

/** Tries to run `true` in a sandbox; returns why that failed. */
async function fails(make: (launch: Launch) => Launchable): Promise<string | undefined> {
  if (process.platform !== 'linux') return `there is none for ${process.platform}`;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  try {
    const launch = launchOf({ command: '/usr/bin/true', args: [], cwd: '/', limits: {} }, {});
    const { file, args } = make({ ...launch, prlimit: prlimitArgs({ processes: 64 }, true) });
    const child = spawn(file, args, {
      env: { PATH: launcherPath },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      timeout: trialMs,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 500)));
    child.stdio[3]?.on('error', () => undefined);
    (child.stdio[3] as NodeJS.WritableStream).end(exports({}));
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code) => resolve(code === 0 ? undefined : said.trim() || `status ${code}`));
  } catch (error) {
    resolve(String(error));
  }
  return promise;
}

const found = new Map<SandboxKind | undefined, Promise<FoundSandbox>>();

async function find(kinds: readonly SandboxKind[]): Promise<FoundSandbox> {
  const reasons: string[] = [];
  for (const kind of kinds) {
    const make = (launch: Launch) => makers[kind](launch, isRoot());
    const reason = await fails(make);
    if (reason === undefined) return { kind, make };
    reasons.push(`${kind}: ${reason}`);
  }
  return { kind: 'none', why: reasons.join('; ') };
}

/** The best sandbox available on this machine, determined once by trying. */
export function findSandbox(kind?: SandboxKind): Promise<FoundSandbox> {
  const known = found.get(kind) ?? find(kind === undefined ? ['bubblewrap', 'namespaces'] : [kind]);
  found.set(kind, known);
  return known;
}

/** Selects the sandbox for the options. @throws AppError 503 `no_sandbox` if required but unavailable */
export async function chooseSandbox(options: SandboxOptions): Promise<FoundSandbox> {
  const chosen = await findSandbox(options.kind);
  if (chosen.kind !== 'none') return chosen;
  const what = `No sandbox can be made on this machine (${chosen.why}).`;
  if (options.policy === 'required')
    throw new AppError(
      503,
      'no_sandbox',
      `${what} Install bubblewrap and util-linux, and allow user namespaces in the kernel or container.`,
    );
  options.onWarning?.(`${what} A program runs without one.`);
  return chosen;
}

export function launchOf(
  program: { command: string; args: readonly string[]; cwd: string; limits: ProcessLimits },
  { mounts = [], network = false, tmpBytes = defaultTmpBytes, userId }: Omit<SandboxOptions, 'policy'>,
): Launch {
  const { command, args, cwd, limits } = program;
  if (isRoot()) for (const mount of mounts) assertReadableForAll(mount.source);
  const view = sandboxView(command, mounts, network);
  return {
    command,
    args,
    cwd,
    view,
    network,
    tmpBytes,
    userId: userId ?? unusedId(),
    prlimit: prlimitArgs(limits, true),
  };
}

/** Started by root, a sandboxed program runs under an unused user id that owns nothing. */
function assertReadableForAll(path: string): void {
  const stats = statSync(path);
  const needed = stats.isDirectory() ? 0o005 : 0o004;
  if ((stats.mode & needed) !== needed)
    throw new TypeError(`${path} must be world-readable to be mounted in a sandbox that root creates.`);
}
