/**
 * Measures what the policy guard adds to a language model that takes 500 ms: 32 callers, each with one HTTP call in
 * progress, a different text each time and one custom policy, compared with bare requests to the same model. Both are
 * measured in alternating rounds, so that they share the machine's conditions. Limits: 5 ms at the median, 20 ms at
 * the 99th percentile.
 *
 *   node bench/policy-guard-judge.ts [calls]
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const modelMs = 500;
const atATime = 32;
const calls = Number(process.argv[2] ?? 640);
const limits = { p50: 5, p99: 20 };
const modelPort = 9572;
const model = `scripted?delayMs=${modelMs}`;
const password = 'a password of the bench';

// Separate processes, as in production, so that their work does not count as the client's.
const server = fork('test/fixtures/scripted-model/server.ts', ['--port', String(modelPort)], {
  silent: true,
});
if (server.stdout !== null) await once(server.stdout, 'data');
const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-bench-'));
const guard = spawn(process.execPath, ['src/cli/bulwark.ts', 'serve', 'policy-guard'], {
  env: {
    PATH: process.env['PATH'],
    BULWARK_DATA_DIR: dataDir,
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_PORT_POLICY_GUARD: '0',
    BULWARK_PORT_POLICY_GUARD_GRPC: '0',
    BULWARK_LOG_LEVEL: 'error',
    BULWARK_ENVIRONMENT: 'bench',
    BULWARK_LLM_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
    BULWARK_LLM_MODEL: model,
    BULWARK_LLM_MAX_CONCURRENT: String(atATime),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /policy-guard\s+(http:\S+)/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('The policy guard ended before it listened.');
}
const baseUrl = await addressOf(guard.stdout);
guard.stdout.resume();

const agent = new Agent({ connections: atATime });
async function post(url: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const answer = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const read = (await answer.body.json()) as Record<string, unknown>;
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${JSON.stringify(read)}`);
  return read;
}

const { access_token: token } = await post(`${baseUrl}/auth/login`, { username: 'admin', password });
const authorised = (path: string, body: object) => post(`${baseUrl}${path}`, body, String(token));
const group = await authorised('/api/policy_groups', { name: 'Bench', policies: [{ name: 'Pastry' }] });
const { guard_uuid } = await authorised('/api/guards', {
  name: 'Bench',
  policy_group_uuids: [group['group_uuid']],
  settings: { engine: 'llm' },
});

const bare = (text: string) =>
  post(`http://127.0.0.1:${modelPort}/v1/chat/completions`, {
    model,
    messages: [{ role: 'user', content: `${text} Answer with one letter and nothing else.` }],
    max_tokens: 1,
    logprobs: true,
    top_logprobs: 20,
  });
const guarded = async (text: string) => {
  const { results } = await authorised('/api/topic_guard', { guard_uuid, text });
  const [result] = results as { engine: string }[];
  if (result?.engine !== 'llm') throw new Error(`Judged by ${result?.engine}.`);
};

let asked = 0;
const callsInTurn = 4;
/** Milliseconds of each call in one round; callers start at different times, as in production. */
async function round(ask: (text: string) => Promise<unknown>): Promise<number[]> {
  const caller = async (_: unknown, i: number) => {
    await sleep((i / atATime) * modelMs);
    const times: number[] = [];
    for (let call = 0; call < callsInTurn; call++) {
      const text = `This is text number ${asked++} of the bench.`;
      const startedAt = performance.now();
      await ask(text);
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  return (await Promise.all(Array.from({ length: atATime }, caller))).flat();
}

// Warm-up: opens connections, compiles code and generates exemplars.
for (let i = 0; i < 4; i++) await round(i % 2 === 0 ? bare : guarded);
const times = { bare: [] as number[], guarded: [] as number[] };
while (times.guarded.length < calls) {
  times.bare.push(...(await round(bare)));
  times.guarded.push(...(await round(guarded)));
}
guard.kill('SIGTERM');
await once(guard, 'exit');
server.kill();
await agent.close();
await rm(dataDir, { recursive: true, force: true });

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0;
const added = (share: number) => at(times.guarded, share) - at(times.bare, share);
const [p50, p99] = [added(0.5), added(0.99)];
console.log(`${times.guarded.length} calls, ${atATime} at a time, over ${modelMs} ms of the model:`);
console.log(`added p50 ${p50.toFixed(1)} ms (${(p50 / limits.p50).toFixed(2)} of its limit)`);
console.log(`added p99 ${p99.toFixed(1)} ms (${(p99 / limits.p99).toFixed(2)} of its limit)`);
process.exitCode = p50 <= limits.p50 && p99 <= limits.p99 ? 0 : 1;
