import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { Secret } from '#base/config/secret.ts';
import { openOutbound } from '#base/net/outbound.ts';
import type { Script } from '../../../test/fixtures/scripted-model/script.ts';
import { startScriptedModel } from '../../../test/fixtures/scripted-model/server.ts';
import { openChatTarget, type ChatTargetSettings } from './chat-target.ts';
import { openTarget } from './target.ts';

const key = 'sk-of-the-target-1234567890';

/** Sleeps are recorded instead of waited for: the test is that they are requested. */
function dependencies(environment: 'development' | 'production' = 'development') {
  const slept: number[] = [];
  let shiftMs = 0;
  return {
    slept,
    outbound: openOutbound({ environment, allowPrivateNetwork: [] }),
    clock: { now: () => systemClock.now() + shiftMs },
    sleep(ms: number) {
      slept.push(ms);
      shiftMs += ms;
      return Promise.resolve();
    },
  };
}

async function scripted(script: Script, settings: Partial<ChatTargetSettings> = {}) {
  const server = await startScriptedModel(script);
  const given = dependencies();
  const target = openChatTarget(
    {
      baseUrl: server.url,
      apiKey: new Secret(key),
      model: 'scripted',
      temperature: 0.7,
      maxTokens: 64,
      concurrency: 4,
      timeoutMs: 5000,
      ...settings,
    },
    given,
  );
  return {
    target,
    server,
    slept: given.slept,
    async [Symbol.asyncDispose]() {
      await given.outbound[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const ask = [{ role: 'user', content: 'Say hello.' }] as const;

test('a reply has its text and usage, counted per owner and in total', async () => {
  await using here = await scripted({ always: { reply: 'Hello.' } });
  const reply = await here.target.reply(ask, { owner: 'scan-1' });
  assert.equal(reply.text, 'Hello.');
  assert.equal(reply.refusedBy, undefined);
  assert.equal(reply.requests, 1);
  await here.target.reply(ask, { owner: 'scan-2' });
  const [one, all] = [here.target.target.usage('scan-1'), here.target.target.usage()];
  assert.equal(one.requests, 1);
  assert.equal(one.promptTokens, reply.promptTokens);
  assert.ok(one.promptTokens > 0);
  assert.equal(all.requests, 2);
  assert.equal(all.promptTokens, 2 * reply.promptTokens);
});

test('a refusal is returned as a reply, with who refused', async () => {
  for (const [refuse, by] of [
    ['text', undefined],
    ['field', 'model'],
    ['filter', 'filter'],
  ] as const) {
    await using here = await scripted({ always: { refuse } });
    assert.equal((await here.target.reply(ask)).refusedBy, by, refuse);
  }
});

test('temporary failures are retried after Retry-After, and a pause applies to all requests', async () => {
  await using here = await scripted({
    rules: [
      { times: 1, do: { status: 429, retryAfterSeconds: 7 } },
      { times: 1, do: { status: 500 } },
      { times: 1, do: { cutOff: 'before' } },
    ],
    always: { reply: 'At last.' },
  });
  const reply = await here.target.reply(ask);
  assert.equal(reply.text, 'At last.');
  assert.equal(reply.requests, 4);
  assert.ok(
    here.slept.some((ms) => ms > 6000 && ms <= 7000),
    `it slept ${here.slept.join(', ')}`,
  );
});

for (const [name, action, code, requests] of [
  ['a wrong key', { status: 401 }, 'target_unauthorized', 1],
  ['a wrong model', { status: 404 }, 'target_not_found', 1],
  ['a request it does not take', { status: 422 }, 'target_rejected', 1],
  ['overload without end', { status: 429, retryAfterSeconds: 1 }, 'target_overloaded', 5],
  ['overload for an hour', { status: 429, retryAfterSeconds: 3600 }, 'target_overloaded', 1],
  ['500 without end', { status: 500 }, 'target_broken', 5],
  ['a web page', { broken: 'html' }, 'target_unreadable', 1],
  ['another shape', { broken: 'shape' }, 'target_unreadable', 1],
  ['half of its JSON', { broken: 'json' }, 'target_unreadable', 5],
  ['hanging up', { cutOff: 'during' }, 'target_unreachable', 5],
] as const)
  test(`fails with its error code after ${requests} requests: ${name}`, async () => {
    await using here = await scripted({ always: action });
    await assert.rejects(here.target.reply(ask), (error: Error & { code: string; requests: number }) => {
      assert.equal(error.code, code);
      assert.equal(error.requests, requests);
      assert.doesNotMatch(inspect(error, { depth: 10 }), new RegExp(key));
      return true;
    });
  });

test('a target that never responds fails after the timeout, without a retry', async () => {
  await using here = await scripted({ always: { hang: true } }, { timeoutMs: 50 });
  await assert.rejects(here.target.reply(ask), { code: 'target_timeout', requests: 1 });
});

test('the caller can abort a request', async () => {
  await using here = await scripted({ always: { hang: true } });
  const caller = new AbortController();
  const asked = here.target.reply(ask, { signal: caller.signal });
  caller.abort(new Error('paused'));
  await assert.rejects(asked, /paused/);
});

test('parameters that the server refuses are omitted, also in later requests', async () => {
  await using here = await scripted({ always: { rejects: ['max_tokens', 'temperature'], reply: 'Hello.' } });
  assert.equal((await here.target.reply(ask)).requests, 3);
  assert.equal((await here.target.reply(ask)).requests, 1);
});

test('requests over the budget are refused', async () => {
  await using here = await scripted({ always: { reply: 'Hello.' } }, { budget: { requests: 2 } });
  await here.target.reply(ask);
  await here.target.reply(ask);
  await assert.rejects(here.target.reply(ask), { code: 'target_budget_spent', status: 429, requests: 0 });
  await using other = await scripted({ always: { reply: 'Hello.' } }, { budget: { tokens: 1 } });
  await other.target.reply(ask);
  await assert.rejects(other.target.reply(ask), { code: 'target_budget_spent' });
});

test('private addresses, other URL schemes and invalid URLs are refused', async () => {
  const { outbound, ...given } = dependencies('production');
  await using _ = outbound;
  const settings = { concurrency: 1, timeoutMs: 1000 };
  for (const url of [
    'http://169.254.169.254/latest',
    'http://127.0.0.1:9/',
    'file:///etc/passwd',
    'not an address',
  ])
    assert.throws(() => openTarget({ ...settings, url }, { outbound, ...given }), { status: 422 }, url);
  await assert.rejects(
    openTarget({ ...settings, url: 'http://localhost:9/' }, { outbound, ...given }).post({}),
    {
      code: 'target_forbidden',
      isSetup: true,
    },
  );
});

test('redirects are not followed, so that the key is not sent elsewhere', async () => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { outbound, ...given } = dependencies();
  await using _ = outbound;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    await assert.rejects(
      openTarget({ url, concurrency: 1, timeoutMs: 5000 }, { outbound, ...given }).post({}),
      {
        code: 'target_rejected',
      },
    );
    assert.deepEqual(hits, ['/v1']);
  } finally {
    server.close();
  }
});

test('headers that would break the request are refused by name, without showing their value', () => {
  const given = dependencies();
  for (const headers of [
    { Host: 'other' },
    { 'x-a': `${key}\r\nx-b: 1` },
    { 'bad name': '1' },
    { 'Content-Length': '0' },
  ])
    assert.throws(
      () => openTarget({ url: 'http://127.0.0.1:1/', headers, concurrency: 1, timeoutMs: 1 }, given),
      (error: Error & { status: number }) => error.status === 422 && !error.message.includes(key),
    );
});
