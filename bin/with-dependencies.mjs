// Installs missing dependencies, then runs a program of this package with the required Node version. Plain JavaScript
// for Node 20 and newer, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installIfMissing } from './install-dependencies.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const neededMajor = 24;

/** The Node from our dependencies, else the current one if it is new enough. */
function findNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const found = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(found)) return found;
  } catch {
    // Not installed: the current Node may be sufficient.
  }
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath;
  process.stderr.write(
    `bulwark: Node ${neededMajor} is needed, and this is ${process.version}. Install Node ${neededMajor} or newer, ` +
      'or let npm run the install script of the package "node", which brings it.\n',
  );
  process.exit(1);
}

// Node runs TypeScript directly, except below a node_modules folder, where an installed package is.
const hooks = root.split(sep).includes('node_modules')
  ? [
      '--disable-warning=ExperimentalWarning',
      '--import',
      pathToFileURL(join(root, 'bin', 'strip-types.mjs')).href,
    ]
  : [];

// Compiled code is kept beside the dependencies, where only those can write who can change the program itself: a
// command starts in two thirds of the time. Where nobody may write, Node does without.
const modules = `${sep}node_modules${sep}`;
const packages = root.includes(modules)
  ? root.slice(0, root.lastIndexOf(modules) + modules.length)
  : join(root, 'node_modules');
const compileCache = join(packages, '.cache', 'compiled');

/**
 * npm runs commands in a shell that dies from a signal without forwarding it, which would leave this process behind.
 * @param {() => void} stop
 */
function stopWithNpm(stop) {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 250).unref();
}

/**
 * @param {string[]} args a program of this package, relative to its root, and its arguments
 * @param {string[]} nodeFlags flags of Node itself
 * @param {boolean} development whether development dependencies are required
 */
export async function runWithDependencies(args, nodeFlags = [], development = true) {
  await installIfMissing(root, development);
  const [program = '', ...rest] = args;
  const child = spawn(findNode(), [...nodeFlags, ...hooks, join(root, program), ...rest], {
    // glibc gives each thread a heap of its own and rarely returns it: two keep the memory of long runs flat. Set
    // before Node starts, because glibc reads it then.
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: compileCache, ...process.env },
    // The channel lets the program notice that this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C on a terminal reaches both processes, a supervisor's signal perhaps only this one. Each signal is forwarded,
  // and the program treats signals that arrive together as one.
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  const watch = stopWithNpm(() => child.kill('SIGTERM'));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (...ended) => resolve(ended));
  });
  clearInterval(watch);
  process.exitCode = signal === null ? code : 128 + (constants.signals[signal] ?? 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runWithDependencies(process.argv.slice(2));
