import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FileReport } from './file-report.ts';
import { runFiles } from './workers.ts';

const passing = `import { test } from 'node:test'; test('passes', () => {});`;

/** The content of each file and its expected report; none for files that pass. */
const files: Record<string, [source: string, told?: RegExp]> = {
  'first.test.ts': [passing],
  'assertion.test.ts': [
    `import { test } from 'node:test';
     test('outer', async (t) => { await t.test('inner', () => { throw new Error('wrong by one'); }); });`,
    /^inner \(.*assertion\.test\.ts:2\)\n.*wrong by one/,
  ],
  'ends-the-process.test.ts': [
    `import { test } from 'node:test'; test('leaves', () => process.exit(0));`,
    /ended with 0 before its tests were over/,
  ],
  'stays-open.test.ts': [
    `import { createServer } from 'node:http'; import { test } from 'node:test';
     createServer().listen(0); test('leaves it open', () => {});`,
    /was not over after 3 s.*last begun: leaves it open/,
  ],
  'half-loaded.test.ts': [`${passing} throw new Error('in the middle');`, /in the middle/],
  'never-loaded.test.ts': [`${passing} await new Promise(() => {});`, /waits for something that never comes/],
  'no-syntax.test.ts': ['const = 1;', /SyntaxError|Expression expected|x is not|Unexpected/],
  'without-tests.test.ts': ['export const x = 1;', /It has no test/],
  'fails-late.test.ts': [
    `${passing} setTimeout(() => { throw new Error('after all'); }, 50);`,
    /after the test ended.*after all/s,
  ],
  'rejects-unheard.test.ts': [
    `import { test } from 'node:test'; test('forgets', () => { void Promise.reject(new Error('unheard')); });`,
    /unheard/,
  ],
  'environment.test.ts': [
    `${passing} process.env['LEFT_BEHIND'] = '1';`,
    /changed: the environment variable LEFT_BEHIND/,
  ],
  'folder.test.ts': [`${passing} process.chdir('/');`, /changed: the current directory/],
  'status.test.ts': [`${passing} process.exitCode = 3;`, /changed: the exit status 3/],
  'untouched.test.ts': [
    `import assert from 'node:assert/strict'; import { test } from 'node:test';
     test('finds nothing of the others', () => {
       assert.deepEqual([process.env['LEFT_BEHIND'], process.cwd() === '/', process.exitCode], [undefined, false, undefined]);
     });
     test('is not wanted', { skip: 'here' }, () => {});`,
  ],
};

let root = '';
let reports: FileReport[] = [];
const printed = new Map<string, string>();
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'bulwark-test-runner-'));
  for (const [file, [source]] of Object.entries(files)) await writeFile(join(root, file), source);
  await writeFile(join(root, 'package.json'), '{ "type": "module" }');
  reports = await runFiles(Object.keys(files), {
    root,
    // All in one process, unless they crash it.
    workers: 1,
    env: process.env,
    fileLimitMs: 3000,
    onReport: ({ file }, output) => printed.set(file, output),
  });
});
after(() => rm(root, { recursive: true }));

test('each file has its own report, although files share a process', () => {
  assert.deepEqual(
    reports.map(({ file }) => file),
    Object.keys(files),
  );
  for (const { file, failed, failures } of reports) {
    const told = failures.map(({ name, text }) => `${name}\n${text}`).join('\n');
    const wanted = files[file]?.[1];
    if (wanted === undefined) assert.deepEqual([failed, told], [0, ''], file);
    else {
      assert.match(told, wanted, file);
      assert.equal(failed > 0, true, file);
    }
  }
});

test('tests are counted, and global state that a file changed is restored', () => {
  const report = reports.find(({ file }) => file === 'untouched.test.ts');
  assert.deepEqual([report?.passed, report?.failed, report?.skipped], [1, 0, 1]);
});

test('no file begins after the time that is given', async () => {
  const settings = { root, workers: 1, env: process.env, fileLimitMs: 3000, onReport: () => {} };
  const over = await runFiles(['first.test.ts'], { ...settings, beginUntilMs: performance.now() });
  const within = await runFiles(['first.test.ts'], { ...settings, beginUntilMs: performance.now() + 60_000 });
  assert.deepEqual([over.length, within.length], [0, 1]);
});
