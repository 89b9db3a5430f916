/**
 * Measures verdicts over HTTP: `node bench/policy-guard.ts [seconds per measurement, default 4]`.
 *
 * One process on the first core serves a bare Fastify echo, another on the same core the policy guard (nine
 * detectors, an API key, logs, an in-memory database). This process sends both the same requests with the same
 * responses, alternating, in three rounds. Prints the medians of requests/s, p50, p99 and the server's CPU time per
 * request, and the guard's rate relative to the echo's. Other processes on the same cores distort the rates more than
 * the CPU times.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { loadTextEngine } from '#engine/text/engine.ts';
import { detectorSlugs } from '#engine/text/types.ts';
import { texts, type Ready } from './policy-guard-server.ts';

const seconds = Number(process.argv[2] ?? 4);
const root = join(import.meta.dirname, '..');

interface Server extends AsyncDisposable {
  ready: Ready;
  /** CPU time so far, in µs. */
  cpu(): Promise<number>;
}

/** /proc reports CPU time in hundredths of a second on every Linux that Node supports. */
const tickUs = 10_000;

/** Pinned to the first core. */
async function start(kind: 'echo' | 'guard'): Promise<Server> {
  const child = spawn(
    'taskset',
    ['-c', '0', process.execPath, join(import.meta.dirname, 'policy-guard-server.ts'), kind],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: root },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    ready: JSON.parse(line) as Ready,
    async cpu() {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * tickUs;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
  cpuUs: number;
}

interface Load {
  connections: number;
  characters: number;
  /** Either fifty repeated texts, or always new ones. */
  same: boolean;
  guardUuid: string;
  key: string;
}

let unique = 0;

async function measure(server: Server, load: Load, duration: number): Promise<Figures> {
  const cpuBefore = await server.cpu();
  const { requests, latency, non2xx, errors } = await autocannon({
    url: server.ready.url,
    connections: load.connections,
    duration,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': load.key },
    requests: [
      {
        setupRequest: (request) => {
          unique += 1;
          const text = texts[unique % texts.length] ?? '';
          const sent = (load.same ? text : `${unique} ${text}`).slice(0, load.characters);
          return { ...request, body: JSON.stringify({ text: sent, guard_uuid: load.guardUuid }) };
        },
      },
    ],
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors at ${server.ready.url}`);
  const cpuUs = ((await server.cpu()) - cpuBefore) / requests.total;
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, cpuUs };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

const table: string[][] = [
  [
    'characters',
    'connections',
    'server',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'of the echo',
    'by CPU',
  ],
];

async function compare(echo: Server, guard: Server, connections: number, characters: number): Promise<void> {
  const { uncachedUuid, cachedUuid, key } = guard.ready;
  const base = { connections, characters, key };
  const kinds: [name: string, server: Server, load: Load][] = [
    ['echo', echo, { ...base, same: false, guardUuid: uncachedUuid }],
    ['guard, uncached', guard, { ...base, same: false, guardUuid: uncachedUuid }],
    ['guard, cached', guard, { ...base, same: true, guardUuid: cachedUuid }],
  ];
  const rounds = kinds.map((): Figures[] => []);
  for (const [, server, load] of kinds) await measure(server, load, 1);
  for (let round = 0; round < 3; round += 1)
    for (const [i, [, server, load]] of kinds.entries())
      rounds[i]?.push(await measure(server, load, seconds));
  const figures = rounds.map((each) => (of: keyof Figures) => median(each.map((one) => one[of])));
  const [bare = () => 1] = figures;
  for (const [i, [name]] of kinds.entries()) {
    const of = figures[i] ?? bare;
    table.push([
      String(characters),
      String(connections),
      name,
      of('perSecond').toFixed(0),
      of('p50').toFixed(1),
      of('p99').toFixed(1),
      of('cpuUs').toFixed(1),
      (of('perSecond') / bare('perSecond')).toFixed(3),
      (bare('cpuUs') / of('cpuUs')).toFixed(3),
    ]);
  }
}

/** Median ms of all nine detectors on 1,000 characters, in this process. */
async function inProcessMs(): Promise<number> {
  const engine = await loadTextEngine();
  const policies = detectorSlugs.map((detector) =>
    engine.compile({ name: detector, description: '', blockActivities: [], safeActivities: [], detector }),
  );
  const times: number[] = [];
  for (let i = 0; i < 2000; i += 1) {
    const text = `${i} ${texts[i % texts.length]}`.slice(0, 1000);
    const startMs = performance.now();
    const analysis = engine.analyse(text);
    for (const policy of policies) void engine.score(analysis, policy).probability;
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b)[1000] ?? 0;
}

async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(
    pids.map(async (each) => {
      const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '');
      return { each, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) };
    }),
  );
  const direct = parents.filter(({ parent }) => parent === pid).map(({ each }) => each);
  return [...direct, ...(await Promise.all(direct.map(childrenOf))).flat()];
}

async function residentMiB(child: ChildProcess): Promise<number> {
  const pids = [child.pid ?? 0, ...(await childrenOf(child.pid ?? 0))];
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** Memory of `bulwark up` and its children, ten seconds after it responds; undefined if it does not start. */
async function atRestMiB(): Promise<number | undefined> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-bench-'));
  const child = spawn(process.execPath, [join(root, 'bin/bulwark.mjs'), 'up'], {
    cwd: root,
    env: {
      ...process.env,
      BULWARK_DATA_DIR: dataDir,
      BULWARK_PORT_POLICY_GUARD: '0',
      BULWARK_PORT_POLICY_GUARD_GRPC: '0',
      BULWARK_PORT_ACTION_GUARD: '0',
      BULWARK_PORT_AGENT_GATEWAY: '0',
      BULWARK_PORT_SHADOW_AI: '0',
      BULWARK_PORT_MCP_SCAN: '0',
      BULWARK_PORT_DASHBOARD: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ready = new Promise<boolean>((resolve) => {
    const look = (chunk: Buffer) => chunk.includes('http://127.0.0.1:') && resolve(true);
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', () => resolve(false));
  });
  try {
    if (!(await ready)) return undefined;
    await sleep(10_000);
    return await residentMiB(child);
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

{
  await using echo = await start('echo');
  await using guard = await start('guard');
  for (const characters of [200, 1000])
    for (const connections of [1, 32]) await compare(echo, guard, connections, characters);
}
for (const row of table)
  console.log(row.map((cell, i) => (i === 2 ? `  ${cell.padEnd(16)}` : cell.padStart(12))).join(''));
console.log(
  `in process, 1,000 characters, nine detectors: median ${(await inProcessMs()).toFixed(3)} ms (goal 1)`,
);
const resident = await atRestMiB();
console.log(
  `bulwark up at rest: ${resident === undefined ? 'did not start' : `${resident.toFixed(0)} MiB`} (goal 700)`,
);
console.log('goals: uncached 0.2 of the echo, cached 0.6');
