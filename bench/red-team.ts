/**
 * Measures the environments, and a run of the red-teaming platform against a scripted agent: `node bench/red-team.ts
 * [tasks, default 300, 0: environments alone] [tasks at a time, default 20]`.
 *
 * Goals: 2,000 tasks with 20 at a time in 5 minutes on two cores (0.3 s of CPU time for a task), a reset of an environment
 * in 10 ms; all 88 instances ready in 2 s with 300 MB in the service, in 20 s with 6 GB as processes. Of runs CPU time
 * counts, of platform and agent together: other processes do not matter. The wall time of processes that start does
 * depend on what else runs.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { EnvironmentProcess } from '#services/red-team/pool/environment-process.ts';
import { InProcessDriver } from '#services/red-team/pool/in-process-driver.ts';
import { instanceCounts } from '#services/red-team/pool/pool-file.ts';
import { type Driver, Pool } from '#services/red-team/pool/pool.ts';
import { ProcessDriver } from '#services/red-team/pool/process-driver.ts';
import { openTestService } from '#services/red-team/fixtures/service.ts';
import { McpSession, openAgentOutbound } from '#services/red-team/scripted-agent/mcp-session.ts';
import { agentPaths, startScriptedAgent } from '#services/red-team/scripted-agent/server.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';

const [wanted = '300', atOnce = '20'] = process.argv.slice(2);
const goalSeconds = 0.3;
const goalResetMs = 10;
const resets = 500;
const drivers = [
  { name: 'in the service', driver: new InProcessDriver(), goals: { seconds: 2, megabytes: 300 } },
  { name: 'as processes', driver: new ProcessDriver(), goals: { seconds: 20, megabytes: 6000 } },
];

/** Memory in MB: shared pages count in equal parts for the processes that share them (PSS). */
function memoryOf(pid: number): number {
  const found = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(found?.[1] ?? 0) / 1000;
}

async function measurePool(name: string, driver: Driver, goals: { seconds: number; megabytes: number }) {
  const before = memoryOf(process.pid);
  const children: number[] = [];
  await using pool = new Pool({
    start: async (id) => {
      const instance = await driver.start(id);
      if (instance.handle instanceof EnvironmentProcess) children.push(instance.handle.pid);
      return instance;
    },
  });
  const from = performance.now();
  await pool.open(instanceCounts(undefined));
  const seconds = (performance.now() - from) / 1000;
  const megabytes = children.reduce((sum, pid) => sum + memoryOf(pid), memoryOf(process.pid) - before);
  const count = pool.status().reduce((sum, each) => sum + each.instances, 0);
  const share = (value: number, goal: number) => `${(value / goal).toFixed(2)} of the goal`;
  console.log(
    `${count} instances ${name}: ready in ${seconds.toFixed(2)} s (${share(seconds, goals.seconds)}), ` +
      `${megabytes.toFixed(0)} MB (${share(megabytes, goals.megabytes)})`,
  );
  const signal = AbortSignal.timeout(600_000);
  const lease = await pool.lease({ environments: ['team_chat'], expiresAfterMs: 600_000, signal });
  const times: number[] = [];
  for (let i = 0; i < resets; i++) {
    const started = performance.now();
    await lease.environments.get('team_chat')?.reset(`seed ${i}`, {});
    times.push(performance.now() - started);
  }
  const p95 = times.sort((a, b) => a - b)[Math.floor(resets * 0.95)] ?? 0;
  console.log(`reset ${name}: p95 ${p95.toFixed(2)} ms (${share(p95, goalResetMs)})`);
  await lease.release();
}

const cpuSeconds = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

for (const { name, driver, goals } of drivers) await measurePool(name, driver, goals);

if (Number(wanted) === 0) process.exit(0);
await using service = await openTestService();
const tasks = shippedTasks();
await using agent = await startScriptedAgent({ persona: 'obedient', tasks });
const evaluation = {
  agent_endpoint: `${agent.url}${agentPaths.openai_responses}`,
  max_tasks: Number(wanted),
};
let done = 0;
let errors = 0;
const start = process.cpuUsage();
while (done < Number(wanted)) {
  const run = await service.evaluate(evaluation, { concurrency: Number(atOnce) });
  done += run.counts.total;
  errors += run.counts.error;
}
const each = cpuSeconds(start) / done;
console.log(
  `${done} tasks, ${atOnce} at a time: ${(each * 1000).toFixed(0)} ms of CPU time each, ` +
    `${(each / goalSeconds).toFixed(2)} of the goal; ${errors} errors`,
);

{
  // Calls through the MCP proxy, over HTTP, while nothing else runs.
  const goalCallMs = 15;
  const calls = 400;
  const gate = Promise.withResolvers<void>();
  const address = Promise.withResolvers<{ url: string; key: string }>();
  const holder = createServer((request, response) => {
    address.resolve({
      url: String(request.headers['x-redteam-mcp-url']),
      key: String(request.headers['x-redteam-session']),
    });
    void gate.promise.then(() =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"output":[{"type":"message","content":[{"type":"output_text","text":"Done."}]}]}'),
    );
  });
  await new Promise<void>((resolve) => {
    holder.listen(0, '127.0.0.1', resolve);
  });
  const { port } = holder.address() as { port: number };
  const { call, tokens } = service;
  const as = tokens.admin;
  const { body: held } = await call('POST', '/api/agents', {
    as,
    body: {
      name: 'Holds a task',
      endpoint: `http://127.0.0.1:${port}/v1/responses`,
      protocol: 'openai_responses',
    },
  });
  const ended = service.evaluate({
    agent_id: held.agent_id,
    environments: ['mail'],
    threat_models: ['benign'],
    max_tasks: 1,
  });
  const { url, key } = await address.promise;
  const outbound = openAgentOutbound();
  for (const era of ['auto', 'legacy'] as const) {
    const mcp = await McpSession.open(outbound, { url, apiKey: key }, { transport: 'http', era });
    const times: number[] = [];
    for (let i = 0; i < calls; i++) {
      const from = performance.now();
      await mcp.call({ name: 'mail__list_messages', args: { limit: 10 } });
      times.push(performance.now() - from);
    }
    const p95 = times.sort((a, b) => a - b)[Math.floor(calls * 0.95)] ?? 0;
    console.log(
      `call through the proxy (${era === 'auto' ? 'newest protocol' : 'older protocol'}): p95 ${p95.toFixed(1)} ms, ` +
        `${(p95 / goalCallMs).toFixed(2)} of the goal`,
    );
    await mcp[Symbol.asyncDispose]();
  }
  gate.resolve();
  await ended;
  holder.closeAllConnections();
  holder.close();
  await outbound[Symbol.asyncDispose]();
}

{
  // A report of 500 results, with every failure of each category that may be asked for.
  const goalSeconds500 = 10;
  const run = await service.evaluate({ ...evaluation, max_tasks: 500 }, { concurrency: Number(atOnce) });
  const { call, tokens } = service;
  const as = tokens.admin;
  const from = performance.now();
  const { body: job } = await call('POST', `/api/runs/${run.run_id}/report`, {
    as,
    body: { failure_cases_per_category: 5 },
  });
  for (;;) {
    const { body } = await call('GET', `/api/runs/reports/${job.job_id}`, { as });
    if (body.status === 'ready') {
      const seconds = (performance.now() - from) / 1000;
      console.log(
        `report of ${run.counts.total} results: ${seconds.toFixed(1)} s, ${(body.bytes / 1e6).toFixed(2)} MB, ` +
          `${(seconds / goalSeconds500).toFixed(2)} of the goal`,
      );
      break;
    }
    if (body.status === 'failed') throw new Error(body.error);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
