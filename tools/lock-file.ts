/**
 * Keeps package-lock.json in a state that `npm ci` accepts on every platform.
 *
 * `node tools/lock-file.ts` prints what is wrong with it and exits with 1; it contacts no registry.
 * `node tools/lock-file.ts --write` (`npm run lock`) brings it to what package.json says, also after a merge that left
 * both sides in it, and adds the optional binaries of other platforms that npm left out.
 *
 * npm leaves such a binary out if the registry in use does not have it, and `npm ci` then refuses the whole file. An
 * entry that is added here has no checksum: npm skips it on other platforms, and on its own platform installs the
 * version that the entry names.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignBinary } from './lock-file/foreign-binary.ts';
import { lockProblems, missingBinaries, withEntries, type Lock, type Manifest } from './lock-file/lock.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockPath = join(root, 'package-lock.json');

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

function write(): void {
  const npm = spawnSync(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--loglevel=error'],
    { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
  );
  if (npm.status !== 0) process.exit(1);
  const lock = read<Lock>(lockPath);
  const added = missingBinaries(lock).map(({ path, name, version, parent }) => ({
    path,
    entry: foreignBinary(name, version, parent),
  }));
  writeFileSync(lockPath, `${JSON.stringify(withEntries(lock, added), null, 2)}\n`);
  for (const { path } of added) console.log(`added ${path}`);
}

if (process.argv.includes('--write')) write();
const { workspaces = [], ...manifest } = read<Manifest & { workspaces?: string[] }>(
  join(root, 'package.json'),
);
const manifests = Object.fromEntries(
  workspaces.map((folder) => [folder, read<Manifest>(join(root, folder, 'package.json'))]),
);
const problems = lockProblems(read<Lock>(lockPath), { '': manifest, ...manifests });
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length > 0) {
  console.error('`npm run lock` mends it.');
  process.exit(1);
}
