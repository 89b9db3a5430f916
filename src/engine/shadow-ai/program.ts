import { splitCommandLine } from './command-line.ts';
import { fileNameOf } from './telemetry.ts';

/** What a process runs, as far as its image and command line tell. All in lower case. */
export interface Program {
  /** File name of the image. */
  readonly name: string;
  /** Paths of the image and of the script that it carries, with `/`. */
  readonly paths: readonly string[];
  /** Names by which the script or the package of a carrier goes. */
  readonly carriedNames: readonly string[];
  /** Names that a command may begin with. */
  readonly commandNames: readonly string[];
  /** The words after the program, the first few. */
  readonly firstWords: readonly string[];
  /** Packages that a carrier runs or installs, without versions. */
  readonly packages: readonly string[];
  readonly images: readonly string[];
  readonly extensions: readonly string[];
  readonly module: string | undefined;
  readonly scripts: readonly string[];
  /** Host and path of what is downloaded to be run. */
  readonly urls: readonly string[];
}

/** Longer command lines are read so far. */
const longestLine = 32_768;

const unixPath = (path: string) => path.replaceAll('\\', '/').toLowerCase();
const withoutExe = (name: string) => name.replace(/\.(?:exe|cmd|bat|ps1)$/, '');
const baseOf = (path: string) => withoutExe(fileNameOf(path).toLowerCase());

const interpreters = /^(?:node|nodejs|bun|deno|electron|python[0-9.]*w?|pypy[0-9.]*|py|ruby|tsx|ts-node)$/;
const shells = /^(?:ba|z|da|k|fi)?sh$|^cmd$|^powershell$|^pwsh$/;
const containers = /^(?:docker|podman|nerdctl)$/;
const editors = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf|antigravity|code-tunnel)$/;
const downloaders = /^(?:curl|wget)$/;
/** Programs that start the one that they are given, with other rights or limits. */
const wrappers = /^(?:sudo|doas|env|nohup|time|timeout|nice|ionice|setsid|stdbuf|caffeinate)$/;
const wrapperFlagsWithValue = /^-(?:[ugpCTrtDRSnskc]|-user|-group|-unset|-signal|-kill-after|-adjustment)$/;
const pips = /^pip[0-9.]*$/;
const scriptFile = /\.(?:js|mjs|cjs|ts|mts|py|pyz)$/;

interface Found {
  packages: string[];
  images: string[];
  extensions: string[];
  scripts: string[];
  paths: string[];
  carriedNames: string[];
  urls: string[];
  module: string | undefined;
  firstWords: string[];
}

/** @param image a path or a file name, empty where it is not known */
export function programOf(image: string, commandLine: string): Program {
  const words = splitCommandLine(commandLine.slice(0, longestLine));
  const imageName = fileNameOf(image === '' ? (words[0] ?? '') : image);
  const name = imageName.toLowerCase();
  const found: Found = {
    packages: [],
    images: [],
    extensions: [],
    scripts: [],
    paths: [unixPath(image === '' ? (words[0] ?? '') : image)],
    carriedNames: [],
    urls: [],
    module: undefined,
    firstWords: [],
  };
  const base = withoutExe(name);
  readWords(base, words.slice(1), found, 0);
  const folder = packageFolder(found.paths[0] ?? '');
  if (folder !== undefined) found.packages.push(folder);
  const called = baseOf(words[0] ?? '');
  return {
    ...found,
    name,
    carriedNames: found.carriedNames,
    commandNames: [...new Set([base, called, ...found.carriedNames])].filter((each) => each !== ''),
  };
}

/** @param depth of shells in shells: one is looked into */
function readWords(base: string, words: readonly string[], found: Found, depth: number): void {
  const kind = kindOf(base);
  if (kind === 'interpreter' && carriesPackages(base, words)) readRunner(base, words, found);
  else if (kind === 'interpreter') readInterpreter(words, found, depth);
  else if (kind === 'shell') readShell(words, found, depth);
  else if (kind === 'container') readContainer(words, found);
  else if (kind === 'downloader') found.urls.push(...urlsIn(words));
  else if (kind === 'runner') readRunner(base, words, found);
  else if (kind === 'wrapper') readWrapped(words, found, depth);
  else {
    if (kind === 'editor') readEditor(words, found);
    found.firstWords.push(...firstWordsOf(words));
  }
}

type Kind = 'interpreter' | 'shell' | 'container' | 'downloader' | 'runner' | 'wrapper' | 'editor' | 'other';

const kindsByName = new Map<string, Kind>();
const mostNames = 10_000;

/** What kind of program it is; programs come again and again, and their kind is looked up then. */
function kindOf(base: string): Kind {
  const known = kindsByName.get(base);
  if (known !== undefined) return known;
  if (kindsByName.size >= mostNames) kindsByName.clear();
  const forms: [RegExp, Kind][] = [
    [interpreters, 'interpreter'],
    [shells, 'shell'],
    [containers, 'container'],
    [downloaders, 'downloader'],
    [wrappers, 'wrapper'],
    [pips, 'runner'],
    [editors, 'editor'],
  ];
  const found = forms.find(([form]) => form.test(base))?.[1];
  const kind =
    found === undefined || found === 'editor'
      ? Object.hasOwn(runners, base)
        ? 'runner'
        : (found ?? 'other')
      : found;
  kindsByName.set(base, kind);
  return kind;
}

const firstWordsOf = (words: readonly string[]): string[] =>
  words
    .slice(0, 3)
    .map((word) => (word.startsWith('--') ? word.split('=', 1)[0] : word)?.toLowerCase() ?? '');

const urlsIn = (words: readonly string[]): string[] =>
  words.flatMap((word) => {
    const url = /(?:https?:\/\/)?([a-z0-9.-]+\.[a-z]{2,}\/[^\s"'|;)]*)/i.exec(word)?.[1];
    return url === undefined ? [] : [url.toLowerCase().replace(/^www\./, '')];
  });

/** `bun x package` and `deno run npm:package`. */
const carriesPackages = (base: string, [verb, ...rest]: readonly string[]): boolean =>
  (base === 'bun' && verb !== undefined && runners['bun']?.includes(verb) === true) ||
  (base === 'deno' && verb === 'run' && rest.some((word) => /^(?:npm|jsr):/.test(word)));

function readInterpreter(words: readonly string[], found: Found, depth: number): void {
  const at = words.findIndex(
    (word) => !word.startsWith('-') || /^-(?:m|c|e|p)$/.test(word) || word === '--eval',
  );
  const word = words[at];
  if (word === undefined) return;
  if (word === '-m') {
    const module = words[at + 1]?.toLowerCase();
    found.module = module;
    if (module === 'pipx' || module === 'uv' || module === 'pip')
      readRunner(module, words.slice(at + 2), found);
    return;
  }
  // Code on the command line is not what runs as a program of its own.
  if (word.startsWith('-')) return;
  readScript(word, words.slice(at + 1), found, depth);
}

function readScript(script: string, rest: readonly string[], found: Found, depth: number): void {
  const path = unixPath(script);
  found.paths.push(path);
  const base = baseOf(script).replace(scriptFile, '');
  if (base === 'npx-cli' || base === 'npm-cli') {
    if (depth < 2) readRunner(base.slice(0, 3), rest, found);
    return;
  }
  const folder = packageFolder(path);
  if (folder === 'npm' && (base === 'npx' || base === 'npm')) return;
  if (folder !== undefined) found.packages.push(folder);
  found.scripts.push(fileNameOf(path));
  // A script of somebody's own may have any name; what a package manager has put on the path has no suffix.
  if (!scriptFile.test(path)) {
    found.carriedNames.push(base);
    readRunner(base, rest, found);
  }
  found.firstWords.push(...firstWordsOf(rest));
}

/** The package that a file belongs to; what is linked from `.bin` has the name of its command. */
function packageFolder(path: string): string | undefined {
  const [, folder] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder === '.bin' ? baseOf(path) : folder;
}

function readShell(words: readonly string[], found: Found, depth: number): void {
  if (depth > 0) return;
  const at = words.findIndex((word) => /^(?:-\w*c|\/c|\/k|-command|-encodedcommand)$/i.test(word));
  const rest = words.slice(at + 1);
  found.urls.push(
    ...urlsIn(words.flatMap((word) => word.split(' '))).filter((url) =>
      /\.(?:sh|ps1|cmd)\b|install/.test(url),
    ),
  );
  if (at < 0) {
    // A script with a shebang, as npm writes them on Windows and uv elsewhere.
    const script = words.find((word) => !word.startsWith('-'));
    if (script !== undefined && /[\\/]/.test(script)) found.paths.push(unixPath(script));
    return;
  }
  const inner = rest.length === 1 ? splitCommandLine(rest[0] ?? '') : [...rest];
  const command = inner[0] === '&' ? inner.slice(1) : inner;
  const program = baseOf(command[0] ?? '');
  // Other programs come as processes of their own; runners on Windows are scripts of the shell itself.
  if (/^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|uv|pipx)$/.test(program))
    readWords(program, command.slice(1), found, depth + 1);
}

/** Other programs come as processes of their own; installing is known by the words of the wrapper alone. */
function readWrapped(words: readonly string[], found: Found, depth: number): void {
  if (depth > 1) return;
  let i = 0;
  while (i < words.length) {
    const word = words[i] ?? '';
    if (wrapperFlagsWithValue.test(word)) i += 2;
    else if (word.startsWith('-') || /^\w+=/.test(word) || /^\d+[smhd]?$/.test(word)) i += 1;
    else break;
  }
  const program = baseOf(words[i] ?? '');
  const kind = kindOf(program);
  if (kind === 'runner' || kind === 'container' || kind === 'wrapper')
    readWords(program, words.slice(i + 1), found, depth + 1);
}

function readContainer(words: readonly string[], found: Found): void {
  found.firstWords.push(...words.slice(0, 1));
  const at = words.findIndex((word) => word === 'run' || word === 'create');
  if (at < 0) return;
  for (const word of words.slice(at + 1)) {
    const image = word
      .toLowerCase()
      .replace(/@sha256:.*$/, '')
      .replace(/:[^/:]*$/, '');
    found.images.push(image.replace(/^docker\.io\//, ''));
    const server = /^mcp\/([a-z0-9-]+)$/.exec(image)?.[1];
    if (server !== undefined) found.packages.push(`mcp-server-${server}`);
  }
}

function readEditor(words: readonly string[], found: Found): void {
  for (const [i, word] of words.entries()) {
    // An editor runs its extensions as node does scripts.
    const path = unixPath(word);
    if (path.includes('/extensions/') && scriptFile.test(path)) found.paths.push(path);
    const joined = /^--install-extension=(.+)$/.exec(word)?.[1];
    const id = joined ?? (word === '--install-extension' ? words[i + 1] : undefined);
    if (id !== undefined) found.extensions.push((id.split('@', 1)[0] ?? '').toLowerCase());
  }
}

/** Verbs of package managers that run or install, by their names; one without verbs runs its first argument. */
const runners: Record<string, readonly string[]> = {
  npx: [],
  bunx: [],
  pnpx: [],
  uvx: [],
  npm: ['exec', 'x', 'install', 'i', 'add', 'create', 'init'],
  pnpm: ['dlx', 'exec', 'add', 'install', 'i', 'create'],
  yarn: ['dlx', 'add', 'create', 'exec'],
  bun: ['x', 'add', 'install', 'create'],
  deno: ['run'],
  uv: ['tool', 'run'],
  pipx: ['run', 'install', 'upgrade'],
  pip: ['install'],
};

const flagsWithValue = new Set([
  '--python',
  '--registry',
  '--prefix',
  '--cache',
  '--index',
  '--directory',
  '-c',
  '--call',
  '--project',
]);
const packageFlags = new Set(['-p', '--package', '--from', '--with', '--spec']);

/** The package of its name: without version, extras and the prefix of a registry. */
function packageOf(word: string): string {
  const plain = word
    .toLowerCase()
    .replace(/^(?:npm|jsr|pypi):/, '')
    .replace(/\[.*$/, '')
    .replace(/[=<>~!].*$/, '');
  const at = plain.lastIndexOf('@');
  return at > 0 ? plain.slice(0, at) : plain;
}

// oxlint-disable-next-line eslint/complexity -- one pass over the words with a few states; in parts it is harder to follow
function readRunner(base: string, words: readonly string[], found: Found): boolean {
  const name = pips.test(base) ? 'pip' : base;
  const verbs = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (verbs === undefined) return false;
  let i = 0;
  if (verbs.length > 0) {
    while (i < words.length && (words[i] ?? '').startsWith('-'))
      i += flagsWithValue.has(words[i] ?? '') ? 2 : 1;
    if (!verbs.includes(words[i] ?? '')) return true;
    const verb = words[i];
    i += verb === 'tool' && base === 'uv' ? 2 : 1;
  }
  for (; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (packageFlags.has(word)) found.packages.push(packageOf(words[(i += 1)] ?? ''));
    else if (/^--(?:package|from|with|spec)=/.test(word))
      found.packages.push(packageOf(word.slice(word.indexOf('=') + 1)));
    else if (flagsWithValue.has(word)) i += 1;
    else if (!word.startsWith('-')) break;
  }
  const word = words[i];
  if (word === undefined) return true;
  const first = packageOf(word);
  found.packages.push(first);
  found.carriedNames.push(fileNameOf(first));
  const rest = words.slice(i + 1);
  // `uv run python -m x` and the like carry a carrier.
  if (interpreters.test(first)) readInterpreter(rest, found, 1);
  else found.firstWords.push(...firstWordsOf(rest));
  // Installing takes several.
  for (const other of rest)
    if (!other.startsWith('-') && /install|^i$|add/.test(words.slice(0, i).join(' ')))
      found.packages.push(packageOf(other));
  return true;
}
