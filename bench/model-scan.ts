/**
 * Measures model scans of a target that answers after 100 ms: requests per second against concurrency ÷ latency, which no
 * client can exceed; then a scan of 10,000 cases: memory of the service along the way, time of a progress answer, and
 * memory while the ZIP is read. Promptfoo asks the same target in the same run: it is installed into a temporary folder,
 * or found where `BULWARK_BENCH_PROMPTFOO=/path/to/node_modules/promptfoo` says; without a package registry it is left out.
 *
 * `node bench/model-scan.ts throughput` measures the requests alone, `many` the long scan alone: a minute, nothing is
 * installed, and `BULWARK_BENCH_CASES` sets its cases. Progress and memory are figures of an idle machine.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeTestDatabase } from '#base/db/testing.ts';
import { type Served, serve } from '../test/faults/serve.ts';

const latencyMs = 100;
const concurrencies = [8, 25, 50] as const;
const secondsEach = 12;
const parts = ['throughput', 'many'] as const;
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !parts.some((part) => part === name));
if (unknown !== undefined) throw new Error(`${unknown} is no part of this benchmark: ${parts.join(', ')}.`);
const has = (part: (typeof parts)[number]) => wanted.length === 0 || wanted.includes(part);
const manyCases = Number(process.env['BULWARK_BENCH_CASES'] ?? 10_000);

interface Stats {
  count: number;
  first: number;
  last: number;
}

const target = spawn(
  process.execPath,
  [join(import.meta.dirname, 'model-scan-target.ts'), String(latencyMs)],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [targetUrl = ''] = (await once(createInterface({ input: target.stdout }), 'line')) as string[];
const stats = async (): Promise<Stats> => (await (await fetch(`${targetUrl}/stats`)).json()) as Stats;
/** Requests per second between the first and the last; the last batch has begun, and needs no time any more. */
const perSecond = ({ count, first, last }: Stats, concurrency: number) =>
  (Math.max(0, count - concurrency) * 1000) / (last - first);

const prompt = (i: number) => `Request ${i} for the target: say something on subject number ${i * 7919}.`;
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ prompt: prompt(i) })).join('\n');

async function start(service: Served, name: string, count: number, concurrency: number): Promise<string> {
  await service.call('/v1/datasets', { name, licence: 'own', format: 'jsonl', content: rows(count) });
  const started = await service.call('/v1/scan/start', {
    scan_name: name,
    model: { base_url: `${targetUrl}/v1`, api_key: 'any', model_name: 'bench' },
    datasets: [{ name }],
    concurrency,
  });
  return started.scan_id as string;
}

const progress = (service: Served, scanId: string) => service.call('/v1/scan/progress', { scan_id: scanId });

async function finished(service: Served, scanId: string, everyMs = 500): Promise<void> {
  for (;;) {
    const { status, error } = await progress(service, scanId);
    if (status === 'Finished') return;
    if (status === 'Failed' || status === 'Error') throw new Error(error);
    await sleep(everyMs);
  }
}

async function ownThroughput(service: Served, concurrency: number): Promise<number> {
  await stats();
  const count = Math.round((concurrency * 1000 * secondsEach) / latencyMs);
  await finished(service, await start(service, `throughput ${concurrency}`, count, concurrency));
  return perSecond(await stats(), concurrency);
}

/** The folder of promptfoo's package; none where there is no registry to install it from. */
async function foundPromptfoo(folder: string): Promise<string | undefined> {
  const given = process.env['BULWARK_BENCH_PROMPTFOO'];
  const found = given ?? join(folder, 'node_modules', 'promptfoo');
  if (given === undefined) {
    // Its optional packages are clients of other services, but for the driver of its database.
    const driver = `@libsql/${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
    const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    try {
      await writeFile(join(folder, 'package.json'), '{}');
      await promisify(execFile)('npm', ['install', 'promptfoo', driver, ...options], { cwd: folder });
    } catch (error) {
      console.log(`Without promptfoo, which could not be installed: ${String(error).split('\n')[1] ?? ''}`);
      return undefined;
    }
  }
  const { version } = JSON.parse(await readFile(join(found, 'package.json'), 'utf8')) as { version: string };
  console.log(`promptfoo ${version}`);
  return found;
}

/** The same number of requests by promptfoo, with the same concurrency. */
async function promptfooThroughput(promptfoo: string, folder: string, concurrency: number): Promise<number> {
  const count = Math.round((concurrency * 1000 * secondsEach) / latencyMs);
  await stats();
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({
      prompts: ['{{prompt}}'],
      providers: [
        { id: 'openai:chat:bench', config: { apiBaseUrl: `${targetUrl}/v1`, apiKey: 'any', temperature: 0 } },
      ],
      tests: Array.from({ length: count }, (_, i) => ({ vars: { prompt: prompt(i) } })),
    }),
  );
  const child = spawn(
    process.execPath,
    [
      join(promptfoo, 'dist/src/entrypoint.js'),
      'eval',
      '-c',
      'config.json',
      '--no-cache',
      '--no-table',
      '--no-progress-bar',
      '--no-write',
      '-j',
      String(concurrency),
    ],
    {
      cwd: folder,
      stdio: 'ignore',
      env: {
        ...process.env,
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
        PROMPTFOO_CONFIG_DIR: folder,
      },
    },
  );
  await once(child, 'exit');
  return perSecond(await stats(), concurrency);
}

const residentMb = async ({ child }: Served): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
};

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function manyCasesScan(service: Served): Promise<void> {
  const scanId = await start(service, 'many', manyCases, 50);
  const memory: number[] = [];
  const answersMs: number[] = [];
  for (;;) {
    const begun = performance.now();
    const { status, error } = await progress(service, scanId);
    answersMs.push(performance.now() - begun);
    memory.push(await residentMb(service));
    if (status === 'Finished') break;
    if (status === 'Failed' || status === 'Error') throw new Error(error);
    await sleep(200);
  }
  const tenth = Math.ceil(memory.length / 10);
  const early = quantile(memory.slice(tenth, tenth * 3), 0.5);
  const late = quantile(memory.slice(-tenth * 2), 0.5);
  console.log(
    `${manyCases} cases: memory ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB late (${(late / early).toFixed(2)}x); ` +
      `progress p50 ${quantile(answersMs, 0.5).toFixed(1)} ms, p95 ${quantile(answersMs, 0.95).toFixed(1)} ms`,
  );
  // The report is made first, so that the reading below is of the stream alone.
  await (await service.send(`/v1/scan/${scanId}/report`)).arrayBuffer();
  const before = await residentMb(service);
  let [bytes, most] = [0, before];
  const answer = await service.send('/v1/scan/download', { scan_id: scanId });
  for await (const chunk of answer.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    most = Math.max(most, await residentMb(service));
  }
  console.log(
    `ZIP of ${(bytes / 1e6).toFixed(1)} MB: memory grew by ${(most - before).toFixed(0)} MB while it was read`,
  );
}

async function measureThroughput(service: Served, folder: string): Promise<void> {
  const promptfoo = await foundPromptfoo(folder);
  for (const concurrency of concurrencies) {
    const ideal = (concurrency * 1000) / latencyMs;
    const own = await ownThroughput(service, concurrency);
    const other =
      promptfoo === undefined ? undefined : await promptfooThroughput(promptfoo, folder, concurrency);
    console.log(
      `concurrency ${concurrency}: ${own.toFixed(0)} requests a second, ${((own / ideal) * 100).toFixed(1)} % of ${ideal}` +
        (other === undefined
          ? ''
          : `; promptfoo ${other.toFixed(0)}, ${((other / ideal) * 100).toFixed(1)} %; ratio ${(own / other).toFixed(2)}x`),
    );
  }
}

await using database = await makeTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'bulwark-bench-model-scan-'));
const service = await serve('model-scan', database.settings, {
  BULWARK_LIMITS_BODY_BYTES: '20000000',
  BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: '100000',
  // The target runs on this machine.
  BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32',
});
try {
  if (has('throughput')) await measureThroughput(service, folder);
  if (has('many')) await manyCasesScan(service);
} finally {
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');
  target.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
