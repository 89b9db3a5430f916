import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempDisposableSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '#base/config/secret.ts';
import { createLog } from '#base/log/log.ts';
import type { Action } from '../../test/fixtures/scripted-model/script.ts';
import { startScriptedModel } from '../../test/fixtures/scripted-model/server.ts';
import { openScripted } from './fixtures/scripted.ts';
import { createLanguageModel } from './language-model.ts';

const question = { system: 'The policy: no bread.', user: 'The data: "rye"' };
const forRye = (action: Action, times?: number) => ({
  when: { user: 'rye' },
  ...(times === undefined ? {} : { times }),
  do: action,
});

const deadlineMs = 400;
/** For what answers at once, however busy the machine is. */
const patienceMs = 30_000;

for (const [name, action, code] of [
  ['never answers', { hang: true }, 'llm_timeout'],
  ['slow', { delayMs: 60_000 }, 'llm_timeout'],
  ['500', { status: 500 }, 'llm_unavailable'],
  ['503 for long', { status: 503, retryAfterSeconds: 60 }, 'llm_unavailable'],
  ['429 for long', { status: 429, retryAfterSeconds: 60 }, 'llm_unavailable'],
  ['401', { status: 401 }, 'llm_unavailable'],
  ['404', { status: 404 }, 'llm_unavailable'],
  ['broken JSON', { broken: 'json' }, 'llm_malformed'],
  ['another shape', { broken: 'shape' }, 'llm_malformed'],
  ['a page of HTML', { broken: 'html' }, 'llm_malformed'],
  ['hangs up', { cutOff: 'before' }, 'llm_unavailable'],
  ['hangs up in the middle', { cutOff: 'during' }, 'llm_unavailable'],
] as const satisfies [string, Action, string][])
  test(`fails with its error code within the deadline: ${name}`, async () => {
    await using scripted = await openScripted({ rules: [forRye(action)] }, { attempts: 2 });
    await scripted.model.capabilities();
    // Only those that do not answer wait for the deadline; the others may take their time on a busy machine.
    const timeoutMs = code === 'llm_timeout' ? deadlineMs : patienceMs;
    await assert.rejects(scripted.model.classify(question, { timeoutMs }), { code });
  });

for (const [name, action] of [
  ['429', { status: 429, retryAfterSeconds: 0 }],
  ['500', { status: 500 }],
  ['hangs up', { cutOff: 'before' }],
  ['broken JSON', { broken: 'json' }],
] as const satisfies [string, Action][])
  test(`succeeds on a retry after one failure: ${name}`, async () => {
    await using scripted = await openScripted({ rules: [forRye(action, 1)] });
    assert.equal((await scripted.model.classify(question)).method, 'logprobs');
    assert.equal(scripted.observations.at(-1)?.requests, 2);
  });

test('Retry-After is respected, and returned to the caller when the deadline is too short for it', async () => {
  const busy = { status: 429, retryAfterSeconds: 3 };
  await using scripted = await openScripted({ rules: [forRye(busy, 2)] }, { timeoutMs: patienceMs });
  await scripted.model.capabilities();
  await assert.rejects(scripted.model.classify(question, { timeoutMs: 2500 }), {
    code: 'llm_unavailable',
    headers: { 'retry-after': '3' },
  });
  const startedAt = performance.now();
  await scripted.model.classify(question);
  assert.ok(performance.now() - startedAt >= 2_980);
});

test('a model that never responds does not delay the caller beyond the deadline', async () => {
  await using scripted = await openScripted({ always: { hang: true } });
  await assert.rejects(scripted.model.classify(question, { timeoutMs: deadlineMs }), { code: 'llm_timeout' });
});

test('a request that hangs is cancelled and retried within the deadline', async () => {
  await using scripted = await openScripted(
    { rules: [forRye({ hang: true }, 1)] },
    { attemptTimeoutMs: 1000, timeoutMs: patienceMs },
  );
  assert.equal((await scripted.model.classify(question)).method, 'logprobs');
});

test('an error that a retry cannot fix is not retried', async () => {
  await using scripted = await openScripted({ rules: [forRye({ status: 401 })] });
  await assert.rejects(scripted.model.classify(question), /BULWARK_LLM_API_KEY/);
  assert.equal(scripted.observations.at(-1)?.requests, 1);
});

test('an unreachable server fails at once, and after several failures without a request', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  await using scripted = await openScripted({}, { baseUrl: `http://127.0.0.1:${port}/v1`, attempts: 2 });
  for (let i = 0; i < 4; i++)
    await assert.rejects(scripted.model.classify(question), { code: 'llm_unavailable' });
  await assert.rejects(scripted.model.classify(question), /several times in a row/);
  assert.equal(scripted.model.status().available, false);
});

test('a model that recovers is used again after the pause', async () => {
  let now = Date.now();
  await using scripted = await openScripted(
    { rules: [forRye({ status: 500 }, 6)] },
    { clock: { now: () => now }, attempts: 3 },
  );
  for (let i = 0; i < 2; i++)
    await assert.rejects(scripted.model.classify(question), { code: 'llm_unavailable' });
  assert.equal(scripted.model.status().available, false);
  await assert.rejects(scripted.model.classify(question), /several times in a row/);
  now += 5001;
  await assert.rejects(scripted.model.classify(question));
  now += 5001;
  assert.ok((await scripted.model.classify(question)).verdict);
  assert.equal(scripted.model.status().available, true);
});

test('short deadlines of callers do not mark a slow model as down', async () => {
  await using scripted = await openScripted({ rules: [forRye({ delayMs: 200 })] });
  await scripted.model.capabilities();
  for (let i = 0; i < 6; i++)
    await assert.rejects(scripted.model.classify(question, { timeoutMs: 30 }), { code: 'llm_timeout' });
  assert.ok((await scripted.model.classify(question)).verdict);
});

test('the caller’s abort signal ends its wait with the signal’s reason', async () => {
  await using scripted = await openScripted({ rules: [forRye({ delayMs: 300 })] });
  await scripted.model.capabilities();
  const own = new AbortController();
  const mine = scripted.model.classify(question, { signal: own.signal });
  const others = scripted.model.classify(question);
  own.abort(new Error('gone home'));
  await assert.rejects(mine, /gone home/);
  assert.ok((await others).verdict);
});

test('the API key is sent to the model, and appears in no log and no error', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'bulwark-llm-'));
  const file = join(folder.path, 'log');
  const log = createLog({ level: 'trace', fd: openSync(file, 'a') });
  await using server = await startScriptedModel({}, { key: 'sk-right' });
  const open = (key: string) =>
    createLanguageModel(
      {
        baseUrl: server.url.replace('//', '//user:sk-in-url@'),
        model: 'scripted',
        apiKey: new Secret(key),
        timeoutMs: patienceMs,
        attemptTimeoutMs: patienceMs,
        attempts: 2,
        maxConcurrent: 2,
        tokensPerMinute: 0,
      },
      { clock: { now: () => Date.now() }, log },
    );
  await using right = open('sk-right');
  assert.ok((await right.classify(question)).verdict);
  assert.equal(server.stats.authorization, 'Bearer sk-right');
  await using wrong = open('sk-wrong');
  const error: unknown = await wrong.classify(question).catch((reason: unknown) => reason);
  log.error({ err: error, status: wrong.status() }, 'failed');
  assert.equal((error as { code: string }).code, 'llm_unavailable');
  const read = () => readFileSync(file, 'utf8');
  while (!read().includes('"failed"')) await sleep(5);
  const logged = read();
  assert.match(logged, /llm_unavailable/);
  assert.doesNotMatch(logged + JSON.stringify(right.status()), /sk-/);
});

test('a call can set its own timeout per request', async () => {
  await using scripted = await openScripted({}, { attempts: 1, attemptTimeoutMs: 1000 });
  await scripted.model.capabilities();
  scripted.server.play({ rules: [forRye({ delayMs: 1500 })] });
  await assert.rejects(scripted.model.classify(question), { code: 'llm_timeout' });
  const { method } = await scripted.model.classify(question, { attemptTimeoutMs: 10_000, timeoutMs: 10_000 });
  assert.equal(method, 'logprobs');
});
