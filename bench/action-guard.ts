/**
 * Measures verdicts on actions over HTTP: `node bench/action-guard.ts [seconds per measurement, default 8]`.
 *
 * One process on one core serves a bare Fastify echo, another on the same core the action guard: a trace of ten
 * steps, the default set of some 130 rules, a signed-in caller, one durable log entry per response, once on
 * PostgreSQL and once on PGlite on disk. This process sends the same requests to both. Goals: 1,000 verdicts/s on
 * PostgreSQL, 400 on PGlite. At the end it checks that there are as many log entries as responses.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { makeTestDatabase } from '#base/db/testing.ts';
import type { Ready } from './action-guard-server.ts';

const seconds = Number(process.argv[2] ?? 8);
const connections = 64;

interface Server extends AsyncDisposable {
  ready: Ready;
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

async function measure({ url, token }: Ready) {
  const run = (duration: number) =>
    autocannon({
      url: `${url}/api/v1/guard_actions`,
      connections,
      duration,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      requests: [{ setupRequest: (request) => ({ ...request, body: body((sent += 1)) }) }],
    });
  const warm = await run(2);
  const { requests, latency, non2xx, errors } = await run(seconds);
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors at ${url}`);
  return {
    perSecond: requests.average,
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
  const { perSecond, p50, p99, answers } = await measure(server.ready);
  const entries = await countLogs(server.ready);
  console.log(
    `${name.padEnd(12)}${perSecond.toFixed(0).padStart(8)}/s  p50 ${p50} ms  p99 ${p99} ms  ` +
      `${(perSecond / base).toFixed(3)} of the echo (goal ${goal}/s)  ${entries} entries for ${answers} answers`,
  );
  if (entries < answers) throw new Error('There are answers without a log entry.');
}

const bare = await (async () => {
  await using echo = await start('echo');
  return await measure(echo.ready);
})();
console.log(`echo        ${bare.perSecond.toFixed(0).padStart(8)}/s  p50 ${bare.p50} ms  p99 ${bare.p99} ms`);
process.env['BULWARK_TEST_DATABASE'] = 'postgres';
await using postgres = await makeTestDatabase();
await report('PostgreSQL', 1000, bare.perSecond, postgres.settings.url ?? '');
await report('PGlite', 400, bare.perSecond);
