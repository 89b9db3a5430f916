/** The `X-Request-Id` of a caller at every service and at the front door: kept if it is printable and short. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTestDatabase } from '#base/db/testing.ts';
import { serve } from '../faults/serve.ts';

const services = ['policy-guard', 'action-guard', 'agent-gateway', 'shadow-ai', 'dashboard'];

/** The response's header. Unlike `fetch`, this can send characters that are not allowed in headers. */
const idFor = (url: string, sent: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { 'x-request-id': Buffer.from(sent).toString('latin1') } }, (response) => {
      response.resume().once('end', () => resolve(response.headers['x-request-id']));
    })
      .once('error', reject)
      .end();
  });

test('a request id of up to 128 printable characters is kept, any other is replaced', async (t) => {
  await using database = await makeTestDatabase();
  const dashboard = await mkdtemp(join(tmpdir(), 'bulwark-dashboard-'));
  t.after(() => rm(dashboard, { recursive: true, force: true }));
  await mkdir(join(dashboard, 'dist', 'assets'), { recursive: true });
  await writeFile(join(dashboard, 'dist', 'index.html'), '<!doctype html><title>Bulwark</title>');
  const { child, urls } = await serve(services, database.settings, {
    BULWARK_PORT_POLICY_GUARD: '0',
    BULWARK_GRPC_ENABLED: 'false',
    BULWARK_DASHBOARD_FOLDER: dashboard,
  });
  t.after(() => child.kill('SIGKILL'));
  const door = urls.get('dashboard') ?? '';
  const addresses = services.flatMap((name) => [
    `${urls.get(name)}/livez`,
    // Refused by the service behind the front door.
    ...(name === 'dashboard' ? [] : [`${door}/services/${name}/auth/me`]),
  ]);
  for (const url of addresses) {
    for (const kept of ['a', '01a20517-ec43-7230/bfde:~!', 'x'.repeat(128)])
      assert.equal(await idFor(url, kept), kept, url);
    const made = [];
    for (const replaced of ['', 'x'.repeat(129), 'two words', 'tab\there', 'ä', '日本'])
      made.push(String(await idFor(url, replaced)));
    for (const id of made) assert.match(id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/, url);
    assert.equal(new Set(made).size, made.length, url);
  }
});
