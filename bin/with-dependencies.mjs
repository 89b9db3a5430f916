// Installs what is missing, then runs a program of this repository with the Node it is written for.
// Plain JavaScript for Node 20 and newer: this runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.installed-lock');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** @param {boolean} development whether what only tests and checks need is wanted too: it is most of the download */
function installIfMissing(development) {
  const lockPath = join(root, 'package-lock.json');
  if (!existsSync(lockPath)) return; // a deployment that carries its own node_modules
  const lock = createHash('sha256').update(readFileSync(lockPath)).digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (installed === lock || (!development && installed === `${lock} product`)) return;
  process.stderr.write('Installing dependencies (once) …\n');
  // Not `npm ci`: it refuses a lock file that lacks the optional binaries of other platforms, which a mirror may not have.
  const omit = development ? [] : ['--omit=dev'];
  const result = spawnSync(
    'npm',
    ['install', '--no-save', ...omit, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (result.status !== 0) {
    process.stderr.write(
      'Installing failed; see the lines above. Is npm on the PATH, and can it reach its registry?\n',
    );
    process.exit(1);
  }
  writeFileSync(stamp, development ? lock : `${lock} product`);
}

/**
 * @param {string[]} args a program of this repository, relative to its root, and its arguments
 * @param {string[]} nodeFlags flags of Node itself
 * @param {boolean} development whether it needs more than the product itself
 */
export async function runWithDependencies(args, nodeFlags = [], development = true) {
  installIfMissing(development);
  const [program = '', ...rest] = args;
  const child = spawn(
    existsSync(node) ? node : process.execPath,
    [...nodeFlags, join(root, program), ...rest],
    // The channel tells the program when this process was killed, so that it does not stay behind alone.
    { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  // A terminal's Ctrl-C reaches both processes; a supervisor's signal only this one, so it is passed on.
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward);
  process.on('SIGINT', () => {});
  process.on('SIGHUP', forward);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (...ended) => resolve(ended));
  });
  process.exitCode = signal === null ? code : 128 + ({ SIGINT: 2, SIGTERM: 15, SIGKILL: 9 }[signal] ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runWithDependencies(process.argv.slice(2));
