import { join } from 'node:path';
import { mock, run } from 'node:test';
import type { EventData } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { Failure, FileReport } from './file-report.ts';

/**
 * Runs one test file in this process, which may run others before and after.
 * A file ends when the event loop is empty; a server, timer or connection that is left open prevents that. Besides
 * failing tests, a file fails if it cannot be loaded completely, if an error occurs after its tests, or if it leaves
 * the process changed.
 */
export async function runFile(
  root: string,
  file: string,
  onBegun: (test: string) => void,
): Promise<FileReport> {
  const begunMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const before = surroundings();
  const path = join(root, file);
  const { counts, failures } = await runTests(file, path, onBegun);
  failures.push(...(await loadFailures(file, path)));
  // Only the test runner sets the exit status, when a test fails.
  if (failures.length > 0) process.exitCode = undefined;
  failures.push(...restore(before).map((change) => own(file, `It leaves this process changed: ${change}.`)));
  const { tests = 0, passed = 0, skipped = 0, todo = 0 } = counts;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    file,
    passed,
    failed: Math.max(tests - passed - skipped - todo, failures.length === 0 ? 0 : 1),
    skipped: skipped + todo,
    wallMs: performance.now() - begunMs,
    cpuMs: (user + system) / 1000,
    failures,
  };
}

interface Outcome {
  readonly counts: Partial<EventData.TestSummary['counts']>;
  readonly failures: Failure[];
}

async function runTests(file: string, path: string, onBegun: (test: string) => void): Promise<Outcome> {
  const failures: Failure[] = [];
  const diagnostics: string[] = [];
  let summary: EventData.TestSummary | undefined;
  for await (const { type, data } of run({ files: [path], isolation: 'none' })) {
    if (type === 'test:start') onBegun(data.name);
    else if (type === 'test:fail') failures.push(...failureOf(data));
    else if (type === 'test:diagnostic') diagnostics.push(data.message);
    else if (type === 'test:summary') summary = data;
    // Node reports a file without tests as one test named after its path.
    else if (type === 'test:pass' && data.name === path) failures.push(own(file, 'It has no test.'));
  }
  const isSound = summary !== undefined && summary.success;
  if (failures.length === 0 && !isSound) failures.push(own(file, wordsAmong(diagnostics)));
  return { counts: summary === undefined ? {} : summary.counts, failures };
}

/** Failures outside tests are reported only as text, among the counts. */
const wordsAmong = (diagnostics: readonly string[]): string =>
  diagnostics.filter((line) => !/^\w+ [\d.]+$/.test(line)).join('\n');

const own = (file: string, text: string): Failure => ({ name: file, text });

/** A test that failed because of a subtest is reported by the subtest. */
function failureOf({ name, file, line, details }: EventData.TestFail): Failure[] {
  const { error } = details;
  if ((error as { failureType?: string }).failureType === 'subtestsFailed') return [];
  return [{ name: `${name} (${file ?? ''}:${line ?? 0})`, text: inspect(error.cause ?? error) }];
}

/**
 * Why the file was not loaded completely. Node reports this only if no test was registered before, so the module, which
 * is already cached, is imported again.
 */
async function loadFailures(file: string, path: string): Promise<Failure[]> {
  const over = new AbortController();
  const loaded = import(pathToFileURL(path).href).then(
    () => [],
    (error: unknown) => [own(file, inspect(error))],
  );
  const never = sleep(5000, [own(file, 'Its top level waits for something that never comes.')], {
    signal: over.signal,
  }).catch(() => []);
  const failures = await Promise.race([loaded, never]);
  over.abort();
  return failures;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

const surroundings = (): Surroundings => ({ env: { ...process.env }, folder: process.cwd() });

/** Set by the test runner itself. */
const isRunners = (variable: string) => variable.startsWith('NODE_TEST_');

/** Restores the state of the process, and reports what had changed. */
function restore({ env, folder }: Surroundings): string[] {
  mock.reset();
  const changes: string[] = [];
  for (const name of new Set([...Object.keys(env), ...Object.keys(process.env)])) {
    if (env[name] === process.env[name] || isRunners(name)) continue;
    changes.push(`the environment variable ${name}`);
    if (env[name] === undefined) delete process.env[name];
    else process.env[name] = env[name];
  }
  if (process.cwd() !== folder) {
    changes.push('the current directory');
    process.chdir(folder);
  }
  if (process.exitCode !== undefined) {
    changes.push(`the exit status ${process.exitCode}`);
    process.exitCode = undefined;
  }
  return changes;
}
