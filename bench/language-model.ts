/**
 * Measures what the client of the language model adds to a bare request: 32 concurrent questions, each different, to
 * a scripted model that takes 500 ms; both are measured in alternating rounds, so that they share the machine's
 * conditions. Limits: 5 ms at the median, 20 ms at the 99th percentile.
 *
 *   node bench/language-model.ts [calls]
 */
import { createLog } from '#base/log/log.ts';
import { createLanguageModel } from '#llm/language-model.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';

const modelMs = 500;
const atATime = 32;
const calls = Number(process.argv[2] ?? 640);
const limits = { p50: 5, p99: 20 };
const port = 9571;

// A separate process, so that the model's work does not count.
const server = fork('test/fixtures/scripted-model/server.ts', ['--port', String(port)], { silent: true });
if (server.stdout !== null) await once(server.stdout, 'data');
await using model = createLanguageModel(
  {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: `scripted?delayMs=${modelMs}`,
    timeoutMs: 10_000,
    attemptTimeoutMs: 5000,
    attempts: 1,
    maxConcurrent: atATime,
    tokensPerMinute: 0,
  },
  { clock: { now: Date.now }, log: createLog({ level: 'silent' }) },
);
await model.capabilities();

const agent = new Agent({ connections: atATime });
async function bare(user: string): Promise<void> {
  const { body } = await request(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: `scripted?delayMs=${modelMs}`,
      messages: [{ role: 'user', content: `${user} Answer with one letter and nothing else.` }],
      max_tokens: 1,
      logprobs: true,
      top_logprobs: 20,
    }),
  });
  await body.json();
}
const ours = (user: string) => model.classify({ system: 'The policy: no bread.', user });

let asked = 0;
/** Milliseconds of each call in one round of concurrent calls. */
const round = (ask: (user: string) => Promise<unknown>): Promise<number[]> =>
  Promise.all(
    Array.from({ length: atATime }, async () => {
      const user = `The data: "question number ${asked++}"`;
      const startedAt = performance.now();
      await ask(user);
      return performance.now() - startedAt;
    }),
  );

// Warm-up: opens connections and compiles code.
for (let i = 0; i < 4; i++) await round(i % 2 === 0 ? bare : ours);
const times = { bare: [] as number[], ours: [] as number[] };
for (let i = 0; i < calls / atATime; i++) {
  times.bare.push(...(await round(bare)));
  times.ours.push(...(await round(ours)));
}
server.kill();
await agent.close();

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0;
const added = (share: number) => at(times.ours, share) - at(times.bare, share);
const [p50, p99] = [added(0.5), added(0.99)];
console.log(`${times.ours.length} calls, ${atATime} at a time, over ${modelMs} ms of the model:`);
console.log(`added p50 ${p50.toFixed(1)} ms (${(p50 / limits.p50).toFixed(2)} of its limit)`);
console.log(`added p99 ${p99.toFixed(1)} ms (${(p99 / limits.p99).toFixed(2)} of its limit)`);
process.exitCode = p50 <= limits.p50 && p99 <= limits.p99 ? 0 : 1;
