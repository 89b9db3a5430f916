/**
 * Runs a policy guard under constant load: `node bench/policy-guard-load.ts [minutes, default 10] [share, default
 * 0.8]`.
 *
 * One process on the first core serves the guard (nine detectors, no cache, every request in the query log with its
 * text, the embedded database on disk). This process first measures the maximum requests/s, then sends that share of
 * them at an even rate, and prints errors, latency and the server's memory every ten seconds. Limits: no error, and
 * after the first minute the heap (after a collection) and the resident memory grow by at most 5 %, by their trends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { texts, type Ready } from './policy-guard-server.ts';

const minutes = Number(process.argv[2] ?? 10);
const share = Number(process.argv[3] ?? 0.8);
const root = join(import.meta.dirname, '..');
const connections = 32;
const everySeconds = 10;

interface Memory {
  rssMiB: number;
  heapMiB: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-load-'));
const server = spawn(
  'taskset',
  ['-c', '0', process.execPath, '--expose-gc', join(root, 'bench/policy-guard-server.ts'), 'guard', dataDir],
  { stdio: ['pipe', 'pipe', 'inherit'], cwd: root },
);
const lines = createInterface(server.stdout);
const nextLine = async () => ((await once(lines, 'line')) as [string])[0];
const ready = JSON.parse(await nextLine()) as Ready;

/** After a garbage collection. */
async function memoryOfServer(): Promise<Memory> {
  const answered = nextLine();
  server.stdin.write('memory\n');
  return JSON.parse(await answered) as Memory;
}

let unique = 0;
const request = {
  url: ready.url,
  connections,
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', 'x-api-key': ready.key },
  requests: [
    {
      setupRequest: (each: object) => {
        unique += 1;
        const text = `${unique} ${texts[unique % texts.length]}`.slice(0, 1000);
        return { ...each, body: JSON.stringify({ text, guard_uuid: ready.loggingUuid }) };
      },
    },
  ],
};

await autocannon({ ...request, duration: 5 });
const { requests: full } = await autocannon({ ...request, duration: 15 });
const rate = Math.max(1, Math.floor(full.average * share));
console.log(`capacity ${full.average.toFixed(0)} requests/s; ${rate} requests/s for ${minutes} minutes`);

const rows: (Memory & { atSeconds: number })[] = [];
let failed = 0;
let answered = 0;
console.log(
  ['s', 'requests/s', 'errors', 'p50 ms', 'p99 ms', 'heap MiB', 'RSS MiB']
    .map((t) => t.padStart(11))
    .join(''),
);
const startMs = performance.now();
while (performance.now() - startMs < minutes * 60_000) {
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({
    ...request,
    overallRate: rate,
    duration: everySeconds,
  });
  failed += non2xx + errors + timeouts;
  answered += requests.total;
  const memory = await memoryOfServer();
  const atSeconds = (performance.now() - startMs) / 1000;
  rows.push({ ...memory, atSeconds });
  console.log(
    [
      atSeconds.toFixed(0),
      requests.average.toFixed(0),
      non2xx + errors + timeouts,
      latency.p50.toFixed(1),
      latency.p99.toFixed(1),
      memory.heapMiB.toFixed(1),
      memory.rssMiB.toFixed(0),
    ]
      .map((cell) => String(cell).padStart(11))
      .join(''),
  );
}
server.stdin.end();
await Promise.race([once(server, 'exit'), sleep(10_000)]);
await rm(dataDir, { recursive: true, force: true });

/** Linear trend over the rows (least squares), as a share of the mean. */
function growth(of: readonly (Memory & { atSeconds: number })[], kind: keyof Memory): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const times = of.map(({ atSeconds }) => atSeconds);
  const sizes = of.map((row) => row[kind]);
  const [t, size] = [mean(times), mean(sizes)];
  const slope =
    times.reduce((sum, time, i) => sum + (time - t) * ((sizes[i] ?? size) - size), 0) /
    times.reduce((sum, time) => sum + (time - t) ** 2, 0);
  return (slope * ((times.at(-1) ?? 0) - (times[0] ?? 0))) / size;
}

const steady = rows.filter(({ atSeconds }) => atSeconds > 60);
const grown = steady.length > 2 ? [growth(steady, 'heapMiB'), growth(steady, 'rssMiB')] : undefined;
console.log(`${answered} requests, ${failed} errors (limit 0)`);
console.log(
  grown === undefined
    ? 'too short to tell whether memory grows after the first minute'
    : `after the first minute: heap and RSS ${grown.map((each) => (each * 100).toFixed(1)).join(' and ')} % (limit 5 %)`,
);
process.exitCode = failed === 0 && Math.max(0, ...(grown ?? [])) <= 0.05 ? 0 : 1;
