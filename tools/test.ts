/**
 * Runs the test suite: `node tools/test.ts [part of a path …] [--postgres | --browser]`.
 *
 * Every file beside the code and under test/ runs; `--postgres` runs the same suite on the PostgreSQL of
 * `BULWARK_TEST_DATABASE_URL` (default: the local server) instead of the embedded database, `--browser` runs the
 * tests of test/e2e in Chromium, one file at a time.
 *
 * Files that fail run once more, by themselves. A test that fails again is broken; one that does not could not stand
 * the load of the others: the suite passes, and names the file, which is to be mended all the same.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));

const browser = args.includes('--browser');
const files = (
  browser
    ? globSync('test/e2e/*.test.ts', { cwd: root })
    : globSync(['src/**/*.test.ts', 'tools/**/*.test.ts', 'test/**/*.test.ts'], {
        cwd: root,
        exclude: ['test/e2e/**'],
      })
)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches ${wanted.join(', ')}.`);
  process.exit(1);
}

const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'test' };
if (args.includes('--postgres')) {
  env.BULWARK_TEST_DATABASE_URL ??= 'postgres://postgres@127.0.0.1:5432/postgres';
  env.BULWARK_TEST_DATABASE = 'postgres';
}
const reports = mkdtempSync(join(tmpdir(), 'bulwark-tests-'));

/** Runs the files, at most `concurrency` at once, and answers those in which a test failed. */
function run(files: readonly string[], concurrency: number): string[] {
  const failed = join(reports, 'failed');
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-reporter=dot',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'tools/failed-files.ts')}`,
      `--test-reporter-destination=${failed}`,
      ...files,
    ],
    { cwd: root, stdio: 'inherit', env },
  );
  if (status === 0) return [];
  const names = readFileSync(failed, 'utf8').split('\n').filter(Boolean);
  return names.length > 0 ? names : [...files];
}

const failed = run(files, browser ? 1 : 2);
const broken = failed.length === 0 ? [] : run(failed, 1);
rmSync(reports, { recursive: true });
for (const file of failed)
  console.error(
    `${broken.includes(file) ? 'failed twice' : 'UNSTABLE: passed by itself'}: ${relative(root, file)}`,
  );
process.exit(broken.length === 0 ? 0 : 1);
