// Installs missing packages of package-lock.json and shows progress. Plain JavaScript for Node 20 and newer, because it
// runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ dev?: boolean, optional?: boolean, inBundle?: boolean, os?: string[], cpu?: string[] }} LockEntry */

/** @param {string[] | undefined} allowed @param {string} actual */
const fits = (allowed, actual) => allowed === undefined || allowed.includes(actual);

/**
 * Install paths of the packages that this machine needs.
 * @param {string} lock content of the lock file
 * @param {boolean} development
 */
function expectedPlaces(lock, development) {
  const entries = Object.entries(
    /** @type {{ packages: Record<string, LockEntry> }} */ (JSON.parse(lock)).packages,
  );
  return entries
    .filter(([place, { dev, os, cpu }]) => {
      const wanted = place !== '' && (development || dev !== true);
      return wanted && fits(os, process.platform) && fits(cpu, process.arch);
    })
    .map(([place]) => place);
}

/**
 * Shows the installation progress: an updated line on a terminal, else one line per quarter.
 * @param {string} root @param {string[]} places
 */
function showProgress(root, places) {
  const { stderr } = process;
  const left = new Set(places);
  let shownQuarter = 0;
  const look = () => {
    for (const place of left) if (existsSync(join(root, place, 'package.json'))) left.delete(place);
    const done = places.length - left.size;
    const text = `Installing dependencies (once): ${done} of ${places.length} packages`;
    const quarter = Math.floor((done / places.length) * 4);
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
    else if (quarter > shownQuarter && quarter < 4) stderr.write(`${text}\n`);
    shownQuarter = Math.max(shownQuarter, quarter);
  };
  stderr.write(`Installing dependencies (once): ${places.length} packages${stderr.isTTY ? '' : '\n'}`);
  const timer = setInterval(look, 250);
  return () => {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write('\r\u001B[K');
  };
}

/** @param {string} root @param {boolean} development */
async function npmInstall(root, development) {
  // Not `npm ci`: it deletes installed packages first, even under a running program; see decision 004.
  const child = spawn(
    'npm',
    [
      'install',
      '--no-save',
      ...(development ? [] : ['--omit=dev']),
      '--no-audit',
      '--no-fund',
      '--no-progress',
      '--loglevel=error',
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' },
  );
  let said = '';
  const keep = (/** @type {Buffer} */ chunk) => {
    said = (said + chunk.toString()).slice(-8_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    child.kill(signal);
    process.stderr.write('\nInstalling was stopped; the next start goes on with it.\n');
    process.exit(1);
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.once(signal, stop);
  const problem = await new Promise((resolve) => {
    child.once('error', (error) => resolve(`npm cannot be run: ${error.message}`));
    child.once('close', (code) => resolve(code === 0 ? undefined : said.trim() || `npm ended with ${code}`));
  });
  for (const signal of signals) process.off(signal, stop);
  return problem;
}

/**
 * Whether a developer has installed the development dependencies; `--omit=dev` would remove them.
 * @param {string} root @param {string} lock
 */
function hasDevelopment(root, lock) {
  const { packages } = /** @type {{ packages: Record<string, LockEntry> }} */ (JSON.parse(lock));
  return Object.entries(packages).some(
    ([place, { dev, optional }]) =>
      dev === true && optional !== true && existsSync(join(root, place, 'package.json')),
  );
}

/**
 * Exits with status 1 if the installation fails.
 * @param {string} root the folder of package.json
 * @param {boolean} required whether development dependencies are required too, which are most of the download
 */
export async function installIfMissing(root, required) {
  const lockPath = join(root, 'package-lock.json');
  if (!existsSync(lockPath)) return; // installed as a package: npm has brought what it needs
  const stamp = join(root, 'node_modules', '.installed-lock');
  const lock = readFileSync(lockPath, 'utf8');
  const hash = createHash('sha256').update(lock).digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (installed === hash || (!required && installed === `${hash} product`)) return;
  const development = required || hasDevelopment(root, lock);
  const startedAt = Date.now();
  const hideProgress = showProgress(root, expectedPlaces(lock, development));
  const problem = await npmInstall(root, development);
  hideProgress();
  if (problem !== undefined) {
    process.stderr.write(
      `${problem}\n\nInstalling the dependencies failed, for the reason above. Check that npm is on the PATH and can reach its registry ` +
        '(`npm ping`), and that the disk has space, then start again.\n',
    );
    process.exit(1);
  }
  // Written atomically, in case the disk is full or a copy of this folder shares its files.
  writeFileSync(`${stamp}.new`, development ? hash : `${hash} product`);
  renameSync(`${stamp}.new`, stamp);
  process.stderr.write(
    `Dependencies are installed, after ${Math.round((Date.now() - startedAt) / 1000)} s.\n`,
  );
}
