/**
 * Measures the overhead of a gateway: `node bench/gateway.ts [seconds per measurement, default 3] [address of a
 * PostgreSQL database] [--connections=1,16] [--profile=folder] [--gateways]`.
 *
 * In one run, alternating, three rounds, with the same modern `tools/call` of 200 characters, each with its own
 * arguments: an MCP server on the official SDK called directly; the same server through the gateway with everything
 * on (API key, access control, 25 rules of the action guard with their durable log, pinning, output check, audit);
 * the server over standard input and output behind the gateway, behind one whose guards only observe, and behind npm's
 * `mcp-proxy`; and the server behind a proxy that only forwards, which is the least that a second hop costs on this
 * machine. With 1, 8, 16 and 32 connections. Beside the rates stands the processor time that each call takes in the
 * measured process: unlike a rate it depends little on what else the machine does. Goals: with 16 connections at least
 * 0.45 of the direct rate over HTTP and 0.6 over stdio, with one connection at most 1 ms more at the median, never slower
 * than mcp-proxy (missed: docs/decisions/079 and 106).
 *
 * Where the time went (profiles of the gateway's main thread, 16 connections): 20 % the output guard, 21 % the action
 * guard with 25 rules, 8 % messages to the embedded database, the rest sockets, HTTP and JSON. A screen before the
 * detector and one look at what a server says of itself took the processor time of the main thread for each call from
 * 4.2 to about 3 times that of the server called directly over HTTP, and from 3.0 to about 2 over stdio. What did not
 * help: copying the action guard's log rows instead of passing them as JSON (planning and six indexes cost more).
 *
 * Then 10,000 calls and 200 sessions that are never closed: memory of the gateway's process and the number of its
 * child processes, before and after; and 1,000 gateways in one process (`--gateways`: only this part). With
 * `--connections` or `--profile`, which writes profiles of the gateway's threads, only rates are measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { abandonSessions } from './gateway-parties/abandon-sessions.ts';
import type { Ready } from './gateway-parties/gateway.ts';
import { freePort } from '../test/fixtures/free-port.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    connections: { type: 'string', default: '1,8,16,32' },
    gateways: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const seconds = Number(positionals[0] ?? 3);
const databaseUrl = positionals[1];
const connectionCounts = options.connections.split(',').map(Number);
const onlyRates =
  options.profile !== undefined || process.argv.some((word) => word.startsWith('--connections'));
const rounds = 3;
const bar = { share: 0.45, addedMs: 1 };

const partyPath = (name: string) => join(import.meta.dirname, 'gateway-parties', name);

interface Party extends AsyncDisposable {
  readonly pid: number;
  readonly lines: Interface;
  tell(line: string): void;
}

function start(args: readonly string[]): Party {
  const child = spawn(process.execPath, ['--expose-gc', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  return {
    pid: child.pid ?? 0,
    lines: createInterface(child.stdout),
    tell: (line) => void child.stdin.write(`${line}\n`),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      clearTimeout(late);
    },
  };
}

async function firstLine<T>({ lines }: Party): Promise<T> {
  const [line] = (await once(lines, 'line')) as [string];
  return JSON.parse(line) as T;
}

async function startMcpProxy(): Promise<Party & { url: string }> {
  const package_ = fileURLToPath(import.meta.resolve('mcp-proxy/package.json'));
  const port = await freePort();
  const party = start([
    join(package_, '../dist/bin/mcp-proxy.mjs'),
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--server',
    'stream',
    '--apiKey',
    'bench',
    '--',
    process.execPath,
    partyPath('upstream.ts'),
    'stdio',
  ]);
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let i = 0; i < 100; i += 1) {
    await sleep(100);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
  }
  return { ...party, url, [Symbol.asyncDispose]: () => (process.kill(party.pid), Promise.resolve()) };
}

interface Target {
  readonly name: string;
  /** The process whose processor time is measured. */
  readonly pid: number;
  readonly url: string;
  readonly tool: string;
  readonly key: string;
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const filler = 'The report of the north region is ready and goes to print on Friday. '
  .repeat(3)
  .slice(0, 190);
let sent = 0;

const headersFor = ({ tool, key }: Target) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': tool,
  'x-api-key': key,
});

const body = ({ tool }: Target) => {
  sent += 1;
  const args = { message: `${sent} ${filler}` };
  const params = { name: tool, arguments: args, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'tools/call', params });
};

/** Checks one response, so that fast errors are not measured. */
async function check(target: Target): Promise<void> {
  const response = await fetch(target.url, {
    method: 'POST',
    headers: headersFor(target),
    body: body(target),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"isError":true') || !text.includes('north region'))
    throw new Error(`${target.name}: ${response.status} ${text.slice(0, 500)}`);
}

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of one call in the measured process. */
  readonly processor: ProcessorTime;
}

interface ProcessorTime {
  /** Of the thread that serves requests. */
  readonly mainUs: number;
  /** Of all threads, with that of the embedded database. */
  readonly allUs: number;
}

/** Processor time that a process has taken so far, in µs; Linux counts it for each thread, in ns. */
function processorTimeOf(pid: number): ProcessorTime {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return { isMain: thread === String(pid), us: Number(ns) / 1000 };
  });
  const sum = (some: typeof threads) => some.reduce((total, { us }) => total + us, 0);
  return { mainUs: sum(threads.filter(({ isMain }) => isMain)), allUs: sum(threads) };
}

/** Median of sequential calls, in ms; more precise than autocannon. */
async function serialMs(target: Target, calls: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < calls; i += 1) {
    const payload = body(target);
    const beganMs = performance.now();
    const response = await fetch(target.url, { method: 'POST', headers: headersFor(target), body: payload });
    await response.text();
    times.push(performance.now() - beganMs);
  }
  return times.toSorted((a, b) => a - b)[calls >> 1] ?? 0;
}

/** Options of autocannon for calls of the target, each with its own arguments. */
const callsOf = (target: Target, connections: number) => ({
  url: target.url,
  connections,
  method: 'POST' as const,
  headers: headersFor(target),
  requests: [
    {
      setupRequest: (request: autocannon.Request) => ({ ...request, body: body(target) }),
    },
  ],
});

/** Until the code of all parties is compiled. */
const warmUp = (target: Target) => autocannon({ ...callsOf(target, 8), amount: 5000 });

async function measure(target: Target, connections: number, duration: number): Promise<Figures> {
  const before = processorTimeOf(target.pid);
  const { requests, latency, non2xx, errors } = await autocannon({
    ...callsOf(target, connections),
    duration,
  });
  if (non2xx + errors > 0) throw new Error(`${target.name}: ${non2xx} refusals, ${errors} errors`);
  const after = processorTimeOf(target.pid);
  const processor = {
    mainUs: (after.mainUs - before.mainUs) / requests.total,
    allUs: (after.allUs - before.allUs) / requests.total,
  };
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, processor };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
const shown = (value: number, digits: number, width: number) => value.toFixed(digits).padStart(width);

async function compare(targets: readonly Target[], connections: number): Promise<void> {
  const figures = targets.map((): Figures[] => []);
  const serial = targets.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [i, target] of targets.entries()) {
      figures[i]?.push(await measure(target, connections, seconds));
      if (connections === 1) serial[i]?.push(await serialMs(target, 400));
    }
  printFigures(targets, connections, { figures, serial });
}

interface Measured {
  readonly figures: readonly Figures[][];
  /** Empty except at one connection. */
  readonly serial: readonly number[][];
}

function printFigures(targets: readonly Target[], connections: number, { figures, serial }: Measured): void {
  const of = (i: number, key: 'perSecond' | 'p50' | 'p99') =>
    median(figures[i]?.map((each) => each[key]) ?? []);
  const processorOf = (i: number, key: keyof ProcessorTime) =>
    median(figures[i]?.map(({ processor }) => processor[key]) ?? []);
  const serialOf = (i: number) => median(serial[i] ?? []);
  const isOne = connections === 1;
  for (const [i, { name }] of targets.entries()) {
    const share = of(i, 'perSecond') / of(0, 'perSecond');
    console.log(
      `${shown(connections, 0, 3)}  ${name.padEnd(16)}${shown(of(i, 'perSecond'), 0, 7)}/s  p50 ${shown(of(i, 'p50'), 0, 3)} ms  ` +
        `p99 ${shown(of(i, 'p99'), 0, 3)} ms  ${shown(share, 3, 6)} of direct  ` +
        `${shown(processorOf(i, 'mainUs'), 0, 5)} µs of processor time, ${shown(processorOf(i, 'allUs'), 0, 5)} in all threads` +
        (isOne ? `  median ${shown(serialOf(i), 2, 5)} ms` : ''),
    );
  }
  if (isOne)
    console.log(
      `     added by the gateway: ${(serialOf(1) - serialOf(0)).toFixed(2)} ms (bar ${bar.addedMs}), ` +
        `by a proxy that only forwards: ${(serialOf(4) - serialOf(0)).toFixed(2)} ms`,
    );
  if (connections === 16) console.log(`     bar: ${bar.share} of direct`);
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

async function memoryOf(party: Party): Promise<{ rssMiB: number; heapMiB: number }> {
  party.tell('memory');
  return firstLine(party);
}

async function endure(party: Party, target: Target): Promise<void> {
  const line = async (what: string) => {
    const { rssMiB, heapMiB } = await memoryOf(party);
    const children = childrenOf(party.pid).length;
    console.log(
      `${what.padEnd(34)}rss ${shown(rssMiB, 0, 5)} MiB  heap ${shown(heapMiB, 1, 6)} MiB  ${children} children`,
    );
  };
  const calls = (amount: number) => autocannon({ ...callsOf(target, 8), amount });
  await line('at rest');
  for (const amount of [10_000, 10_000]) {
    await calls(amount);
    await sleep(500);
    await line(`after ${amount} more calls`);
  }
  await abandonSessions(target, 200);
  await line('after 200 abandoned sessions');
  await abandonSessions(target, 200);
  await line('after 200 more');
}

async function manyGateways(upstreamUrl: string, count: number): Promise<void> {
  const sized = async (gateways: number) => {
    await using party = start([partyPath('gateway.ts'), upstreamUrl, String(gateways)]);
    const { startMs } = await firstLine<Ready>(party);
    return { ...(await memoryOf(party)), startMs };
  };
  const few = await sized(1);
  const all = await sized(count);
  console.log(
    `${count} gateways run: ${all.startMs.toFixed(1)} ms to make, attach and start each; ` +
      `rss ${all.rssMiB.toFixed(0)} MiB against ${few.rssMiB.toFixed(0)} with one, heap ` +
      `${(((all.heapMiB - few.heapMiB) * 1024) / count).toFixed(1)} KiB for each`,
  );
}

{
  await using upstream = start([partyPath('upstream.ts')]);
  const { url: upstreamUrl } = await firstLine<{ url: string }>(upstream);
  if (!options.gateways) {
    await using proxy = await startMcpProxy();
    await using bare = start([partyPath('bare-proxy.ts'), upstreamUrl]);
    const { url: bareUrl } = await firstLine<{ url: string }>(bare);
    await using gateway = start([
      ...(options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`]),
      partyPath('gateway.ts'),
      upstreamUrl,
      '1',
      ...(databaseUrl === undefined ? [] : [databaseUrl]),
    ]);
    const { mcpUrls, observingUrl = '', key } = await firstLine<Ready>(gateway);
    const mcpUrl = mcpUrls[0] ?? '';
    const { pid } = gateway;
    const through = { name: 'gateway', pid, url: mcpUrl, tool: 'http__echo', key };
    const targets: Target[] = [
      { name: 'direct', pid: upstream.pid, url: upstreamUrl, tool: 'echo', key: '' },
      through,
      { name: 'gateway, stdio', pid, url: mcpUrl, tool: 'stdio__echo', key },
      { name: 'mcp-proxy, stdio', pid: proxy.pid, url: proxy.url, tool: 'echo', key: 'bench' },
      { name: 'bare proxy', pid: bare.pid, url: bareUrl, tool: 'echo', key: '' },
      { name: 'observing, stdio', pid, url: observingUrl, tool: 'stdio__echo', key },
    ];
    for (const target of targets) await check(target);
    for (const target of targets) await warmUp(target);
    for (const connections of connectionCounts) await compare(targets, connections);
    if (!onlyRates) await endure(gateway, { ...through, tool: 'stdio__echo' });
  }
  if (!onlyRates) await manyGateways(upstreamUrl, 1000);
}
