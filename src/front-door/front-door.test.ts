import assert from 'node:assert/strict';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { openChangeNotices } from '#base/events/change-notices.ts';
import { readEvents } from '#base/events/read-events.ts';
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { effectiveSettings } from '#base/config/effective.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { listen } from '#base/http/listen.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { adminPassword, openTestIdentity } from '#identity/testing.ts';
import { writtenLog } from '../../test/fixtures/written-log.ts';
import { dashboardSections } from './config.ts';
import { createFrontDoor } from './front-door.ts';

const identity = await openTestIdentity();
const dashboardFolder = await mkdtemp(join(tmpdir(), 'bulwark-dashboard-'));
await mkdir(join(dashboardFolder, 'dist', 'assets'), { recursive: true });
await writeFile(join(dashboardFolder, 'dist', 'index.html'), '<!doctype html><title>Bulwark</title>');
await writeFile(join(dashboardFolder, 'dist', 'assets', 'app.js'), 'let one = 1;');
await writeFile(
  join(dashboardFolder, 'dist', 'assets', 'app.js.br'),
  brotliCompressSync(Buffer.from('let one = 1;')),
);

/** A service that returns the request it received, and streams events: one, or none at all. */
const service = createServer((request, response) => {
  if (request.url === '/silence') {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return;
  }
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\n');
    request.on('close', () => response.end());
    return;
  }
  response.setHeader('content-type', 'application/json');
  void text(request).then(
    (body) => response.end(JSON.stringify({ url: request.url, body, headers: request.headers })),
    () => response.destroy(),
  );
}).listen(0, '127.0.0.1');
await once(service, 'listening');
const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

const logFile = join(dashboardFolder, 'log');
const log = createLog({ level: 'info', format: 'json', fd: openSync(logFile, 'a') });
const sections = { ...platformSections, ...dashboardSections };
const config = loadConfig(sections, {
  BULWARK_LLM_API_KEY: 'a key of the model',
  BULWARK_METRICS_ENABLED: 'true',
});
const door = await createFrontDoor({
  version: '0.0.0',
  config,
  settings: effectiveSettings(sections, config),
  db: identity.db,
  jobs: createJobs(identity.db),
  runs: createRuns(identity.db, { log }),
  cache: createMemoryCache({ maxEntries: 1, ttlSeconds: 1 }),
  log,
  clock: identity.clock,
  strictAnswers: true,
  identity: identity.identity,
  dashboardFolder,
  serviceNames: ['policy-guard', 'gone'],
  addressOf: (name) => (name === 'gone' ? 'http://127.0.0.1:1' : serviceUrl),
});
const url = await listen(door.app, { service: 'dashboard', host: '127.0.0.1', port: 0, portSetting: '' });
after(async () => {
  await door[Symbol.asyncDispose]();
  service.closeAllConnections();
  service.close();
  await identity[Symbol.asyncDispose]();
  await rm(dashboardFolder, { recursive: true });
});

const signIn = async (password = adminPassword) =>
  fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
const refresh = async (cookie: string) =>
  fetch(`${url}/session/refresh`, { method: 'POST', headers: { cookie } });

test('the refresh token is only in an HttpOnly, same-site cookie', async () => {
  const response = await signIn();
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^bulwark_session=[\w-]{43}; Max-Age=604800; Path=\/session; HttpOnly; SameSite=Strict$/,
  );
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(body), ['access_token', 'expires_in']);
  assert.equal((await signIn('not the password')).status, 401);
});

test('two tabs that refresh at once both succeed; an unknown cookie is refused', async () => {
  const first = cookieOf(await signIn());
  const [one, other] = await Promise.all([refresh(first), refresh(first)]);
  assert.deepEqual([one.status, other.status], [200, 200]);
  assert.equal(cookieOf(one), cookieOf(other));
  assert.notEqual(cookieOf(one), first);
  assert.equal((await refresh('bulwark_session=stolen')).status, 401);
});

test('signing out ends the session on the server', async () => {
  const cookie = cookieOf(await signIn());
  const out = await fetch(`${url}/session`, { method: 'DELETE', headers: { cookie } });
  assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/);
  const answer = await refresh(cookie);
  assert.equal(answer.status, 401);
  assert.match(answer.headers.get('set-cookie') ?? '', /Max-Age=0/);
});

test('a path with a name that has a slash reaches its service as it was sent', async () => {
  for (const path of ['/leaderboard/servers/acme/notes', '/leaderboard/servers/acme%2Fnotes']) {
    const asked = (await (await fetch(`${url}/services/policy-guard${path}`)).json()) as { url: string };
    assert.equal(asked.url, path);
  }
});

test('a request is forwarded to its service unchanged, with the caller’s address', async () => {
  const response = await fetch(`${url}/services/policy-guard/api/guards?limit=3`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x', 'x-forwarded-for': '1.2.3.4' },
    body: '{"a":  1}',
  });
  const asked = (await response.json()) as { url: string; body: string; headers: Record<string, string> };
  assert.equal(asked.url, '/api/guards?limit=3');
  assert.equal(asked.body, '{"a":  1}');
  assert.equal(asked.headers['authorization'], 'Bearer x');
  assert.equal(asked.headers['x-forwarded-for'], '127.0.0.1', 'a forged address is not forwarded');
  assert.equal(response.headers.get('x-request-id'), asked.headers['x-request-id']);
});

test('streamed events arrive while they are being sent', async () => {
  const stop = new AbortController();
  const response = await fetch(`${url}/services/policy-guard/events`, { signal: stop.signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  assert.equal(new TextDecoder().decode(value), 'data: first\n\n');
  stop.abort();
});

/** The errors that are logged about a request so far. */
async function errorsOf(requestId: string): Promise<string[]> {
  const lines = (await writtenLog(log, logFile)).split('\n');
  return lines.filter((line) => line.includes(requestId) && line.includes('"level":"error"'));
}

for (const [when, path, body] of [
  ['before the first event', 'silence', '{}'],
  ['between events', 'events', ''],
  ['while it sends', 'upload', 'the beginning'],
] as const)
  test(`a caller who hangs up ${when} is no error`, async () => {
    const requestId = `hangs-up-${path}`;
    const caller = request(`${url}/services/policy-guard/${path}`, {
      method: body === '' ? 'GET' : 'POST',
      headers: { 'x-request-id': requestId, 'content-length': path === 'upload' ? 1000 : body.length },
    }).on('error', () => {});
    const answered = path === 'events' ? once(caller, 'response') : undefined;
    const arrived = once(service, 'request');
    if (path === 'upload') caller.write(body);
    else caller.end(body);
    const [asked, answer] = (await arrived) as [IncomingMessage, ServerResponse];
    await answered;
    // Until something is sent, nobody outside sees that the service's answer has reached the front door.
    if (path === 'silence') await sleep(100);
    const { promise: over, resolve } = Promise.withResolvers();
    asked.on('error', () => {});
    answer.once('close', resolve);
    caller.destroy();
    await over;
    assert.deepEqual(await errorsOf(requestId), []);
  });

test('an unreachable service is 502, an unknown one is 404', async () => {
  const gone = await fetch(`${url}/services/gone/api/x`);
  assert.equal(gone.status, 502);
  assert.match(((await gone.json()) as { detail: string }).detail, /gone does not answer/);
  assert.equal((await fetch(`${url}/services/nobody/x`)).status, 404);
});

test('the front door serves metrics, to authenticated callers only, and documentation assets', async () => {
  for (const path of [
    '/metrics',
    '/services/policy-guard/metrics',
    '/services/policy-guard/%6detrics',
    '/services/policy-guard/x/%2e%2e/metrics',
  ])
    assert.equal((await fetch(`${url}${path}`)).status, 401, path);
  const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${url}/services/policy-guard/metrics`, { headers })).status, 200);
  const metrics = await fetch(`${url}/metrics`, { headers });
  assert.match(await metrics.text(), /bulwark_http_request_duration_seconds.*service="dashboard"/);
  assert.equal((await fetch(`${url}/docs-assets/swagger-ui.css`)).status, 200);
  assert.equal((await fetch(`${url}/docs-assets/constructor`)).status, 404);
});

test('health needs no credential', async () => {
  const health = await fetch(`${url}/health`);
  assert.deepEqual([health.status, await health.json()], [200, { status: 'ok', version: '0.0.0' }]);
});

test('long responses are compressed as the client accepts; tokens and event streams never are', async () => {
  const asked = async (path: string, encoding: string, method = 'GET') =>
    new Promise<IncomingHttpHeaders>((resolve, reject) => {
      request(`${url}${path}`, { method, headers: { 'accept-encoding': encoding } }, (response) => {
        resolve(response.headers);
        response.destroy();
      })
        .on('error', reject)
        .end();
    });
  const long = `/services/policy-guard/api/x?${'a'.repeat(2000)}`;
  assert.equal((await asked(long, 'gzip, br'))['content-encoding'], 'br');
  assert.equal((await asked(long, 'gzip'))['content-encoding'], 'gzip');
  assert.match((await asked(long, 'gzip'))['vary'] ?? '', /accept-encoding/i);
  assert.equal((await asked(long, 'identity'))['content-encoding'], undefined);
  assert.equal((await asked(long, 'br', 'POST'))['content-encoding'], undefined);
  assert.equal((await asked('/services/policy-guard/events', 'br'))['content-encoding'], undefined);
  const through = (await (await fetch(`${url}${long}`)).json()) as { url: string };
  assert.equal(through.url.length, '/api/x?'.length + 2000, 'it decompresses to the original');
  assert.equal((await asked('/assets/app.js', 'br'))['content-encoding'], 'br', 'compressed at build time');
});

test('sign-in attempts through the front door are throttled by the caller’s own address', async () => {
  const response = await fetch(`${url}/services/policy-guard/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(typeof body['refresh_token'], 'string', 'answered by the front door, not by the service');
});

test('every application path serves the page; assets are cached as immutable, and missing files are 404', async () => {
  const page = await fetch(`${url}/policies/whatever`, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /<title>Bulwark/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const file = await fetch(`${url}/assets/app.js`);
  assert.match(file.headers.get('cache-control') ?? '', /immutable/);
  assert.equal((await fetch(`${url}/assets/%2e%2e/index.html`)).status, 404);
  assert.equal((await fetch(`${url}/assets/none.js`)).status, 404);
  assert.equal((await fetch(`${url}/nothing`)).status, 404);
});

test('only system administrators can read the configuration, which contains no secrets', async () => {
  const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
  const asked = async (headers: Record<string, string>) => fetch(`${url}/session/configuration`, { headers });
  const response = await asked({ authorization: `Bearer ${token}` });
  assert.equal(response.status, 200);
  const { settings } = (await response.json()) as { settings: { path: string; value: unknown }[] };
  assert.equal(settings.find(({ path }) => path === 'llm.api_key')?.value, '[secret]');
  assert.equal(settings.find(({ path }) => path === 'cache.ttl_seconds')?.value, 3600);
  assert.doesNotMatch(JSON.stringify(settings), /a key of the model/);
  assert.equal((await asked({})).status, 401);
  const member = await fetch(`${url}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ username: 'reader', password: 'long enough', tenant_name: 'system' }),
  });
  assert.ok(member.ok, await member.text());
  const theirs = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'reader', password: 'long enough' }),
  });
  const { access_token: weak } = (await theirs.json()) as { access_token: string };
  assert.equal((await asked({ authorization: `Bearer ${weak}` })).status, 403);
});

test('pages are told of what concerns their user, whichever process noted it, and nothing of what happened', async () => {
  const { access_token: root } = await identity.login();
  await identity.call('/auth/tenants', { token: root, body: { name: 'acme' } });
  const chief = await identity.addUser('chief', 'acme', ['admin']);
  const worker = await identity.addUser('worker', 'acme');
  const other = await identity.addUser('other', 'acme');
  const tenantId = (await identity.identity.person(worker.id))?.tenantId ?? '';
  const open = async (token: string) => {
    const stop = new AbortController();
    const response = await fetch(`${url}/session/changes`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    assert.equal(response.status, 200);
    assert.match(String(response.headers.get('content-type')), /^text\/event-stream/);
    assert.ok(response.body !== null);
    const events = readEvents(response.body, 10_000)[Symbol.asyncIterator]();
    const next = async () => {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) return 'ended';
        if (value.data !== '') return [value.event, JSON.parse(value.data)];
      }
    };
    return { next, close: () => stop.abort() };
  };
  const [ofChief, ofWorker, ofOther, ofRoot] = await Promise.all(
    [chief.token, worker.token, other.token, root].map(open),
  );
  const notices = openChangeNotices({ db: identity.db, log });
  notices.note({ what: 'texts', tenantId, userId: worker.id });
  notices.note({ what: 'texts', tenantId, userId: worker.id });
  await notices.flush();
  notices.note({ what: 'decisions', tenantId });
  await notices.flush();
  assert.deepEqual(
    await ofOther?.next(),
    ['changed', { what: ['decisions'] }],
    'not the texts of somebody else',
  );
  for (const stream of [ofChief, ofWorker]) {
    const [name, { what }] = await stream!.next();
    assert.equal(name, 'changed');
    assert.ok(what.includes('texts'), String(what));
  }
  const systemId = (await identity.identity.localAdmin()).tenantId;
  notices.note({ what: 'calls', tenantId: systemId });
  await notices.flush();
  assert.deepEqual(await ofRoot?.next(), ['changed', { what: ['calls'] }], 'of their own tenant alone');
  const gone = await identity.call(`/auth/users/${worker.id}`, { method: 'DELETE', token: chief.token });
  assert.equal(gone.status, 200);
  // Whatever waited may still come; then the stream of the deleted user ends.
  let last = await ofWorker?.next();
  while (last !== 'ended') last = await ofWorker?.next();
  assert.equal((await fetch(`${url}/session/changes`)).status, 401);
  for (const stream of [ofChief, ofOther, ofRoot]) stream?.close();
  await notices[Symbol.asyncDispose]();
});
