/**
 * Runs the test suite: `node tools/test.ts [part of a path …] [--postgres]`.
 *
 * Every file beside the code and under test/ runs; `--postgres` runs the same suite on the PostgreSQL of
 * `BULWARK_TEST_DATABASE_URL` (default: the local server) instead of the embedded database.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));

const files = globSync(['src/**/*.test.ts', 'tools/**/*.test.ts', 'test/**/*.test.ts'], {
  cwd: root,
  exclude: ['test/e2e/**'],
})
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
const result = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-reporter=dot', '--test-reporter-destination=stdout', ...files],
  { cwd: root, stdio: 'inherit', env },
);
process.exit(result.status ?? 1);
