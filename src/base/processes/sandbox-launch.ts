/** The last step inside a sandbox: read the environment from a pipe, set limits, exec the program. */
import type { SandboxView } from './sandbox-view.ts';

/** What to run in a sandbox. */
export interface Launch {
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly view: SandboxView;
  readonly network: boolean;
  /** Size of /tmp, a tmpfs. */
  readonly tmpBytes: number;
  /** The program's user and group, where root creates the sandbox. */
  readonly userId: number;
  /** Options of `prlimit`. */
  readonly prlimit: readonly string[];
}

/** What to spawn; the environment goes to descriptor 3, formatted by {@link exports}. */
export interface Launchable {
  readonly file: string;
  readonly args: readonly string[];
}

export type SandboxKind = 'bubblewrap' | 'namespaces';

/** Size of /dev/shm, a tmpfs. */
export const sharedMemoryBytes = 16 * 1024 ** 2;

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The environment as shell lines; not as arguments, which every user of the machine can read. */
export function exports(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(name))
        throw new TypeError(`${JSON.stringify(name)} cannot be the name of an environment variable.`);
      if (value.includes('\0'))
        throw new TypeError(`The environment variable ${name} has a NUL character in its value.`);
      return `export ${name}=${quoted(value)}\n`;
    })
    .join('');
}

/**
 * Arguments of `/bin/sh` that run the program. The program's environment is set last, so that variables in it
 * (LD_PRELOAD, PATH) cannot affect sandbox setup. Under memory pressure the kernel kills it first (oom_score_adj).
 */
export const launchArgs = ({ command, args, prlimit }: Launch): string[] => [
  '-c',
  'unset PWD OLDPWD; given=$(/bin/cat <&3); exec 3<&-; echo 1000 2>/dev/null >/proc/self/oom_score_adj; ' +
    'eval "unset given; $given"; exec /usr/bin/prlimit "$@"',
  'sh',
  ...prlimit,
  '--',
  command,
  ...args,
];

/**
 * An unused user id, so that processes are counted per sandbox. From a range that
 * https://systemd.io/UIDS-GIDS/ lists as unused.
 */
export const unusedId = (): number => 1_900_000_000 + Math.floor(Math.random() * 200_000_000);
