/**
 * Measures a run of the red-teaming platform against a scripted agent: `node bench/red-team.ts [tasks, default 300]
 * [tasks at a time, default 20]`.
 *
 * Goals: 2,000 tasks with 20 at a time in 5 minutes on two cores (0.3 s of CPU time for a task), a reset of an environment
 * in 10 ms, all instances ready in 2 s. CPU time counts, of platform and agent together: other processes do not matter.
 */
import { InProcessDriver } from '#services/red-team/pool/in-process-driver.ts';
import { instanceCounts } from '#services/red-team/pool/pool-file.ts';
import { Pool } from '#services/red-team/pool/pool.ts';
import { openTestService } from '#services/red-team/fixtures/service.ts';
import { agentPaths, startScriptedAgent } from '#services/red-team/scripted-agent/server.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';

const [wanted = '300', atOnce = '20'] = process.argv.slice(2);
const goalSeconds = 0.3;
const goalResetMs = 10;
const resets = 500;

const cpuSeconds = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

{
  const start = process.cpuUsage();
  const before = process.memoryUsage().rss;
  await using pool = new Pool(new InProcessDriver());
  await pool.open(instanceCounts(undefined));
  const instances = pool.status().reduce((sum, each) => sum + each.instances, 0);
  const megabytes = (process.memoryUsage().rss - before) / 1e6;
  console.log(
    `${instances} instances: ready in ${cpuSeconds(start).toFixed(2)} s, ${megabytes.toFixed(0)} MB`,
  );
  const signal = AbortSignal.timeout(600_000);
  const lease = await pool.lease({ environments: ['mail'], expiresAfterMs: 600_000, signal });
  const times: number[] = [];
  for (let i = 0; i < resets; i++) {
    const from = performance.now();
    await lease.environments.get('mail')?.reset(`seed ${i}`, {});
    times.push(performance.now() - from);
  }
  const p95 = times.sort((a, b) => a - b)[Math.floor(resets * 0.95)] ?? 0;
  console.log(`reset: p95 ${p95.toFixed(2)} ms, ${(p95 / goalResetMs).toFixed(2)} of the goal`);
  await lease.release();
}

await using service = await openTestService();
const tasks = shippedTasks();
await using agent = await startScriptedAgent({ persona: 'obedient', tasks });
const evaluation = { agent_endpoint: `${agent.url}${agentPaths.openai_responses}`, max_tasks: tasks.length };
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
