/** Two `bulwark serve policy-guard` over one PostgreSQL and one Redis: what one is told the other does. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#base/db/open.ts';
import { startScriptedModel, type ScriptedModel } from '../fixtures/scripted-model/server.ts';

const password = 'a password of the test';
const program = join(import.meta.dirname, '../../src/cli/bulwark.ts');
const serverUrl = process.env['BULWARK_TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

async function onServer(sql: string): Promise<boolean> {
  try {
    await using server = await openDatabase({ url: serverUrl, dataDir: '', poolSize: 1 });
    await server.query(sql);
    return true;
  } catch {
    return false;
  }
}

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const skip = !hasRedis
  ? 'needs redis-server'
  : (await onServer('select 1'))
    ? false
    : `needs PostgreSQL: ${new URL(serverUrl).host} does not answer`;

const database = `bulwark_test_${randomUUID().replaceAll('-', '')}`;
const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-processes-'));
const processes: { child: ChildProcess; gone: Promise<unknown> }[] = [];
const urls: string[] = [];
let model: ScriptedModel;
let token = '';

function started(command: string, args: string[], env: Record<string, string>, output: 'pipe' | 'ignore') {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  processes.push({ child, gone: once(child, 'exit') });
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function serve(env: Record<string, string>): Promise<string> {
  const child = started(process.execPath, [program, 'serve', 'policy-guard'], env, 'pipe');
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const url = /policy-guard\s+(http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    // What it writes later is read as well, so that the pipe never fills.
    child.stdout.resume();
    return url;
  }
  throw new Error('bulwark serve ended before it listened');
}

before(async () => {
  if (skip !== false) return;
  await onServer(`create database ${database} template template0 encoding 'UTF8'`);
  model = await startScriptedModel();
  const redisPort = String(await freePort());
  started(
    'redis-server',
    ['--port', redisPort, '--save', '', '--dir', dataDir, '--bind', '127.0.0.1'],
    {},
    'ignore',
  );
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const env = {
    BULWARK_DATABASE_URL: url.href,
    BULWARK_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    // On a machine that has other work Redis is still to be waited for: what is shared is what is tested.
    BULWARK_REDIS_TIMEOUT_MS: '30000',
    BULWARK_DATA_DIR: dataDir,
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_JWT_SECRET: randomBytes(32).toString('hex'),
    BULWARK_SECRET_KEY: randomBytes(32).toString('hex'),
    BULWARK_PORT_POLICY_GUARD: '0',
    BULWARK_PORT_POLICY_GUARD_GRPC: '0',
    BULWARK_LOG_LEVEL: 'error',
    BULWARK_ENVIRONMENT: 'test',
    BULWARK_LLM_BASE_URL: model.url,
    BULWARK_LLM_MODEL: 'scripted',
    BULWARK_LLM_TIMEOUT_MS: '60000',
    BULWARK_LLM_ATTEMPT_TIMEOUT_MS: '60000',
    BULWARK_POLICY_GUARD_JUDGE_TIMEOUT_MS: '60000',
  };
  // One after the other: the first makes the tables.
  for (let i = 0; i < 2; i++) urls.push(await serve(env));
  const session = await call(0, 'POST', '/auth/login', { username: 'admin', password });
  token = session['access_token'];
});

after(async () => {
  for (const { child } of processes) child.kill('SIGTERM');
  await Promise.all(processes.map(({ gone }) => gone));
  if (skip === false) {
    await model[Symbol.asyncDispose]();
    await onServer(`drop database if exists ${database} with (force)`);
  }
  await rm(dataDir, { recursive: true, force: true });
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape.
async function call(at: number, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${urls[at]}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** A guard on a group of one custom policy, on the first process. */
async function makeGuard(block: string, settings: object = {}) {
  const group = await call(0, 'POST', '/api/policy_groups', {
    name: 'Shared',
    policies: [{ name: 'Pastry', block_activities: [block] }],
  });
  const guard = await call(0, 'POST', '/api/guards', {
    name: 'Shared',
    policy_group_uuids: [group.group_uuid],
    settings,
  });
  return { group, guardUuid: String(guard.guard_uuid) };
}

const judge = (at: number, guardUuid: string, text: string) =>
  call(at, 'POST', '/api/topic_guard', { guard_uuid: guardUuid, text });

/** Requests for a verdict on texts with the words. */
const asked = (words: string) =>
  model.stats.requests.filter(
    ({ logprobs, messages }) => logprobs === true && messages[1]?.content.includes(words),
  ).length;

test('a policy that is changed through one process is used by the other', { skip }, async (context) => {
  const { group, guardUuid } = await makeGuard('Praising croissants', { engine: 'embedded' });
  const text = 'Recommend shares to buy';
  assert.equal((await judge(1, guardUuid, text)).flag, false);
  const [{ _id: policyId }] = group.policies;
  await call(0, 'PUT', `/api/policy_groups/${group.group_uuid}/policies/${policyId}`, {
    block_activities: ['Recommend shares to buy'],
  });
  const startedAt = performance.now();
  let flag = false;
  // A second is the promise; a machine that has other work may take longer to notice, but not for ever.
  while (!flag && performance.now() - startedAt < 20_000) ({ flag } = await judge(1, guardUuid, text));
  assert.equal(flag, true);
  context.diagnostic(`seen after ${Math.round(performance.now() - startedAt)} ms`);
});

test('so is a guard', { skip }, async () => {
  const { guardUuid } = await makeGuard('Praising croissants', { engine: 'embedded' });
  assert.equal((await judge(1, guardUuid, 'Hello')).guard, 'Shared');
  await call(0, 'PUT', `/api/guards/${guardUuid}`, { name: 'Renamed' });
  const startedAt = performance.now();
  let name = 'Shared';
  while (name === 'Shared' && performance.now() - startedAt < 20_000)
    name = (await judge(1, guardUuid, 'Hello')).guard;
  assert.equal(name, 'Renamed');
});

test('what one process had judged the other answers from the cache', { skip }, async () => {
  const { guardUuid } = await makeGuard('Praising croissants');
  const first = await judge(0, guardUuid, 'A walnut loaf.');
  // Nobody waits for the cache: what the first wrote may be under way.
  let hits = 0;
  for (let i = 0; i < 200 && hits === 0; i++) {
    const second = await judge(1, guardUuid, 'A walnut loaf.');
    assert.deepEqual(second.results, first.results);
    ({ hits } = await call(1, 'GET', '/api/cache/stats'));
    await sleep(20);
  }
  assert.ok(hits > 0);
  assert.equal(asked('walnut loaf'), 1);
});

test('500 equal calls to both at once reach the model once', { skip }, async () => {
  const { guardUuid } = await makeGuard('Praising éclairs');
  model.play({ rules: [{ when: { user: 'poppy seeds' }, do: { delayMs: 300 } }] });
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, i) => judge(i % 2, guardUuid, 'Bread with poppy seeds.')),
  );
  for (const { results } of answers) {
    assert.equal(results[0].engine, 'llm');
    assert.equal(results[0].degraded, false);
    assert.deepEqual(results[0].probs, answers[0].results[0].probs);
  }
  assert.equal(asked('poppy seeds'), 1);
});
