/** The last step inside a sandbox: the environment is read from a pipe, limits are set, and the program takes over. */
import type { SandboxView } from './sandbox-view.ts';

/** What a sandbox is made for. */
export interface Launch {
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly view: SandboxView;
  readonly network: boolean;
  /** Of /tmp, which lies in memory. */
  readonly tmpBytes: number;
  /** Options of `prlimit`. */
  readonly prlimit: readonly string[];
}

/** What is to be spawned; the environment goes to descriptor 3 as {@link exports} writes it. */
export interface Launchable {
  readonly file: string;
  readonly args: readonly string[];
}

export type SandboxKind = 'bubblewrap' | 'namespaces';

/** The size of /dev/shm, which lies in memory too. */
export const sharedMemoryBytes = 16 * 1024 ** 2;

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The environment as lines for a shell. Not as arguments, which every user of the machine can read. */
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
 * Arguments of `/bin/sh` that run the program. The program's environment takes effect last: whatever is in it
 * (LD_PRELOAD, PATH) never works on what makes the sandbox. Where memory gets scarce the kernel ends it first.
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
 * A user id that nobody has, so that processes are counted for one sandbox alone. From a range that
 * https://systemd.io/UIDS-GIDS/ lists as unused.
 */
export const unusedId = (): number => 1_900_000_000 + Math.floor(Math.random() * 200_000_000);
