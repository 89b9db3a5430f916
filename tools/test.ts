/**
 * Runs tests: `node tools/test.ts [part of a path …] [--slow | --all | --browser] [--postgres] [--workers=N]
 * [--minutes=N]`.
 *
 * Without arguments: the fast suite, which is every test beside the code. `--slow` runs the suites of test/ (whole
 * programs, real clients, crashes), `--all` both, `--browser` those of test/e2e in one Chromium; parts of paths
 * select files of any suite except the last. `--postgres` runs the files whose result can depend on the database a
 * second time, on the PostgreSQL of `BULWARK_TEST_DATABASE_URL` (default: the local server) instead of the embedded
 * database.
 * With `--minutes`, no file begins later than that; those left are named, and are no failure.
 *
 * Several files share a process (tools/test-runner). Files that fail run again, each in its own process. A file that
 * fails again is broken. One that passes then was affected by the load, or by state that another file left behind:
 * the suite passes and names the file, which must be fixed all the same.
 */
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Durations } from './test-runner/durations.ts';
import type { FileReport } from './test-runner/file-report.ts';
import { databaseSense, selectFiles } from './test-runner/select-files.ts';
import { runFiles } from './test-runner/workers.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = {
  slow: { type: 'boolean' },
  all: { type: 'boolean' },
  browser: { type: 'boolean' },
  postgres: { type: 'boolean' },
  workers: { type: 'string' },
  minutes: { type: 'string' },
} as const;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    return { ...values, parts: positionals };
  } catch (error) {
    console.error(`${String(error)}\nOptions: --${Object.keys(options).join(', --')}; and parts of paths.`);
    process.exit(2);
  }
}

const { slow, all, browser, postgres, workers, minutes, parts } = readArguments();
const suite = browser ? 'browser' : all ? 'all' : slow ? 'slow' : 'fast';
const found = selectFiles(root, { parts, suite });
const files = postgres ? found.filter(databaseSense(root)) : found;
if (files.length === 0) {
  console.error(
    found.length === 0 ? 'No test file matches.' : 'None of these files depends on the database.',
  );
  process.exit(1);
}
if (files.length < found.length)
  console.log(`${found.length - files.length} files come to the same on any database and are not run again.`);

async function startBrowser() {
  const { chromium } = await import('playwright-core');
  const { launchOptions } = await import('../test/e2e/launch-options.ts');
  return chromium.launchServer(launchOptions);
}

await using sharedBrowser = browser ? await startBrowser() : undefined;
const env: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_ENV: 'test',
  // Programs started by tests use the compile cache.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/compiled'),
  ...(sharedBrowser && { BULWARK_TEST_BROWSER: sharedBrowser.wsEndpoint() }),
};
if (postgres) {
  env['BULWARK_TEST_DATABASE_URL'] ??= 'postgres://postgres@127.0.0.1:5432/postgres';
  env['BULWARK_TEST_DATABASE'] = 'postgres';
}

const durations = new Durations(join(root, 'node_modules/.cache/bulwark-test-durations.json'));
const settings = {
  root,
  // Browser tests run one at a time, because they would time out in parallel on a small machine.
  workers: Number(workers ?? (browser ? 1 : Math.min(4, availableParallelism()))),
  env,
  fileLimitMs: 600_000,
  beginUntilMs: minutes === undefined ? undefined : performance.now() + Number(minutes) * 60_000,
};
let over = 0;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;

function print(report: FileReport, output: string): void {
  const { file, passed, skipped, failures, wallMs, cpuMs } = report;
  over += 1;
  const outcome = `${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const mark = failures.length === 0 ? '✔' : '✖';
  console.log(
    `${String(over).padStart(4)}/${files.length} ${mark}${seconds(wallMs)} ${seconds(cpuMs)} CPU  ${file}  ${outcome}`,
  );
  for (const { name, text } of failures) console.log(`\n✖ ${name}\n${text.replaceAll(/^/gm, '    ')}\n`);
  if (failures.length > 0 && output !== '') console.log(`Printed by ${file} or its programs:\n${output}`);
  if (failures.length === 0) durations.set(file, wallMs);
}

const first = await runFiles(durations.longestFirst(files), { ...settings, onReport: print });
durations.save();
const suspects = first.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
if (suspects.length > 0) console.log('\nOnce more, each by itself:');
over = files.length - suspects.length;
const second = await runFiles(suspects, {
  ...settings,
  beginUntilMs: undefined,
  workers: 1,
  alone: true,
  onReport: print,
});

const slowest = first.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, 5);
console.log(`\nSlowest:\n${slowest.map(({ file, wallMs }) => `${seconds(wallMs)}  ${file}`).join('\n')}\n`);
for (const { file, failures } of second)
  console.log(`${failures.length > 0 ? 'failed twice' : 'UNSTABLE: passed by itself'}: ${file}`);
const begun = new Set(first.map(({ file }) => file));
const left = files.filter((file) => !begun.has(file));
if (left.length > 0) console.log(`NOT RUN, for want of time: ${left.join(', ')}`);
const last = [...first.filter(({ file }) => !suspects.includes(file)), ...second];
const sum = (of: (report: FileReport) => number) => last.reduce((total, each) => total + of(each), 0);
console.log(
  `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed, ${sum(({ skipped }) => skipped)} skipped`,
);
process.exitCode = last.some(({ failures }) => failures.length > 0) ? 1 : 0;
