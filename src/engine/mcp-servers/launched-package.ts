/** From a command line to the package that it starts. */
import type { ServerConfig } from './configurations.ts';

export interface LaunchedPackage {
  ecosystem: 'npm' | 'PyPI' | 'docker';
  name: string;
  version?: string | undefined;
}

const valueOptions = new Set([
  '-p',
  '--package',
  '--from',
  '--with',
  '--python',
  '-e',
  '--env',
  '-v',
  '--volume',
  '--name',
  '--network',
  '--mount',
  '-w',
  '-u',
  '--entrypoint',
  '--registry',
  '--index-url',
]);

/** Words that are no options, and the package that an option names. */
function wordsOf(args: readonly string[]): { plain: string[]; named: string | undefined } {
  const plain: string[] = [];
  let named: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-p' || arg === '--package' || arg === '--from') named ??= args[at + 1];
    if (valueOptions.has(arg)) at++;
    else if (!arg.startsWith('-')) plain.push(arg);
  }
  return { plain, named };
}

function npm(spec: string | undefined): LaunchedPackage | undefined {
  const [, name, version] = /^((?:@[^/@\s]+\/)?[^@\s/]+)(?:@(.+))?$/.exec(spec ?? '') ?? [];
  return name === undefined ? undefined : { ecosystem: 'npm', name, version };
}

function pypi(spec: string | undefined): LaunchedPackage | undefined {
  const [, name, version] = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?:(?:==|@)(.+))?$/.exec(spec ?? '') ?? [];
  return name === undefined ? undefined : { ecosystem: 'PyPI', name, version };
}

function docker(spec: string | undefined): LaunchedPackage | undefined {
  const [image = '', digest] = (spec ?? '').split('@');
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return image === ''
    ? undefined
    : { ecosystem: 'docker', name: image.replace(/:[^/:]+$/, ''), version: digest ?? tag };
}

interface Starter {
  programs: readonly string[];
  /** First words of which one must be there; none: the package is the first. */
  words: readonly string[];
  read: (spec: string | undefined) => LaunchedPackage | undefined;
}

const starters: readonly Starter[] = [
  { programs: ['npx', 'bunx', 'pnpx'], words: [], read: npm },
  { programs: ['npm', 'pnpm', 'yarn', 'bun'], words: ['exec', 'x', 'dlx'], read: npm },
  { programs: ['uvx'], words: [], read: pypi },
  { programs: ['pipx'], words: ['run'], read: pypi },
  { programs: ['uv'], words: ['tool run', 'x'], read: pypi },
  { programs: ['docker', 'podman'], words: ['run'], read: docker },
];

/** The package that a command line starts, where it is `npx`, `uvx`, `docker run` and the like. */
export function packageOf({
  command = '',
  args,
}: Pick<ServerConfig, 'command' | 'args'>): LaunchedPackage | undefined {
  const program = command
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(?:exe|cmd)$/i, '');
  const { plain, named } = wordsOf(args);
  const line = plain.join(' ');
  for (const { programs, words, read } of starters) {
    if (!programs.includes(program ?? '')) continue;
    if (words.length === 0) return read(named ?? plain[0]);
    const word = words.find((each) => line === each || line.startsWith(`${each} `));
    if (word !== undefined) return read(named ?? plain[word.split(' ').length]);
  }
  return undefined;
}

const moving = new Set(['latest', 'next', 'main', 'canary', 'beta']);

/** Whether it is always the same that is started. */
export const isPinned = ({ ecosystem, version }: LaunchedPackage): boolean =>
  version !== undefined &&
  !moving.has(version) &&
  (ecosystem === 'docker' ? version.startsWith('sha256:') : /^[=v]?\d+\.\d+/.test(version));

/** How it would be named so that it is always the same. */
export const pinned = ({ ecosystem, name }: LaunchedPackage): string =>
  ({ npm: `${name}@1.2.3`, PyPI: `${name}==1.2.3`, docker: `${name}@sha256:…` })[ecosystem];
