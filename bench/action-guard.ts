/**
 * Measures verdicts on actions over HTTP: `node bench/action-guard.ts [seconds per measurement, default 8]
 * [postgres|pglite, default both]`.
 *
 * One process on one core serves a bare Fastify echo, another on the same core the action guard: a trace of ten
 * steps, the default set of some 130 rules, a signed-in caller, one durable log entry per response, once on
 * PostgreSQL (`BULWARK_TEST_DATABASE_URL`, else the server at 127.0.0.1:5432, in a temporary database) and once on
 * PGlite on disk. This process sends the same requests to both. Goals: 1,500 verdicts/s of one core on PostgreSQL, 400
 * on PGlite. At the end it checks that there are as many log entries as responses.
 *
 * Beside the rate it prints the processor time that the server spends on a response, all its threads together, and how
 * many responses a core is worth by that: on a busy machine the rate says how much was left over, the processor time
 * still says what a response costs. A database server's own time is not in it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { makeTestDatabase } from '#base/db/testing.ts';
import type { Ready } from './action-guard-server.ts';

const seconds = Number(process.argv[2] ?? 8);
const only = process.argv[3];
const connections = 64;
const warmUp = 6000;

interface Server extends AsyncDisposable {
  ready: Ready;
  /** Seconds of the processor that it has spent, in all threads. */
  readonly spent: () => number;
}

/** Linux counts processor time in hundredths of a second, whatever the clock of the kernel. */
const ticksPerSecond = 100;

/** `utime` and `stime`; the name of the program before them is in brackets and may have blanks. */
function spentBy(pid: number): number {
  const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = NaN, system = NaN] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) / ticksPerSecond;
}

/** Pinned to the first core if the system supports it. */
async function start(...args: string[]): Promise<Server> {
  const child = spawn(
    'taskset',
    ['-c', '0', process.execPath, join(import.meta.dirname, 'action-guard-server.ts'), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    ready: JSON.parse(line) as Ready,
    spent: () => spentBy(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

const step = (i: number, tool_name: string, tool_params: object, tool_output?: string) => ({
  role: 'agent',
  action: `Step ${i}`,
  step_id: i,
  metadata: { tool_name, tool_params, server_name: 'office', ...(tool_output && { tool_output }) },
});

/** Ten steps; each call has its own session. */
const body = (i: number) =>
  JSON.stringify({
    session_history: {
      session_info: { gateway_id: 'gw_bench' },
      trace: [
        {
          role: 'user',
          content: 'Read the report and send a summary to anna@example.com, please.',
          step_id: 1,
        },
        ...Array.from({ length: 8 }, (_, j) =>
          step(
            j + 2,
            'read_file',
            { path: `reports/2026/${j}.txt` },
            'Sales rose by four per cent in the north. '.repeat(5),
          ),
        ),
        step(10, 'send_email', {
          to: 'anna@example.com',
          subject: `Summary ${i}`,
          body: 'Sales rose by four per cent.',
        }),
      ],
    },
    session_id: `session-${i % 500}`,
    policy_id: 'agp_default',
  });

let sent = 0;

async function measure({ ready: { url, token }, spent }: Server) {
  const run = (length: { duration: number } | { amount: number }) =>
    autocannon({
      url: `${url}/api/v1/guard_actions`,
      connections,
      ...length,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      requests: [{ setupRequest: (request) => ({ ...request, body: body((sent += 1)) }) }],
    });
  // A number and no time: on a busy machine a server would still be compiling while it is measured.
  const warm = await run({ amount: warmUp });
  const before = spent();
  const { requests, latency, non2xx, errors } = await run({ duration: seconds });
  const cpuSeconds = spent() - before;
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors at ${url}`);
  return {
    perSecond: requests.average,
    cpuMs: (cpuSeconds * 1000) / requests.total,
    p50: latency.p50,
    p99: latency.p99,
    answers: warm['2xx'] + requests.total,
  };
}

async function countLogs({ url, token }: Ready): Promise<number> {
  const response = await fetch(`${url}/api/v1/logs?stats_only=true`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { stats: { total_evaluations: number } }).stats.total_evaluations;
}

async function report(name: string, goal: number, base: number, ...args: string[]): Promise<void> {
  await using server = await start('guard', ...args);
  const { perSecond, cpuMs, p50, p99, answers } = await measure(server);
  const entries = await countLogs(server.ready);
  console.log(
    `${name.padEnd(12)}${perSecond.toFixed(0).padStart(8)}/s  p50 ${p50} ms  p99 ${p99} ms  ` +
      `${cpuMs.toFixed(3)} ms of processor, ${(1000 / cpuMs).toFixed(0)}/s of one core (goal ${goal}/s)  ` +
      `${(cpuMs / base).toFixed(1)} times the echo's processor time  ${entries} entries for ${answers} answers`,
  );
  if (entries < answers) throw new Error('There are answers without a log entry.');
}

const bare = await (async () => {
  await using echo = await start('echo');
  return await measure(echo);
})();
console.log(
  `echo        ${bare.perSecond.toFixed(0).padStart(8)}/s  p50 ${bare.p50} ms  p99 ${bare.p99} ms  ` +
    `${bare.cpuMs.toFixed(3)} ms of processor, ${(1000 / bare.cpuMs).toFixed(0)}/s of one core`,
);
if (only !== 'pglite') {
  process.env['BULWARK_TEST_DATABASE'] = 'postgres';
  await using postgres = await makeTestDatabase();
  await report('PostgreSQL', 1500, bare.cpuMs, postgres.settings.url ?? '');
}
if (only !== 'postgres') await report('PGlite', 400, bare.cpuMs);
