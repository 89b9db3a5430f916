/**
 * A body that is too large is refused with a response that arrives, for each client, directly and through the front
 * door.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { addProxy } from '#base/http/proxy.ts';
import { createHttpServer, type HttpApp } from '#base/http/server.ts';
import { listen } from '#base/http/listen.ts';
import { createLog } from '#base/log/log.ts';

const run = promisify(execFile);
const log = createLog({ level: 'silent' });
const mebibyte = 1024 * 1024;
const sizes = [10 * mebibyte + 1, 32 * mebibyte, 101 * mebibyte];
const limits = { bodyLimitBytes: 10 * mebibyte, uploadLimitBytes: 100 * mebibyte };

const python = `
import sys, urllib.request, urllib.error
body = open(sys.argv[2], 'rb').read()
request = urllib.request.Request(sys.argv[1], data=body, headers={'Content-Type': 'application/json'})
try:
    print(urllib.request.urlopen(request).status)
except urllib.error.HTTPError as error:
    print(error.code)
`;

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

describe('bodies', () => {
  const apps: HttpApp[] = [];
  const urls: Record<string, string> = {};
  let folder: string;
  const files = new Map<number, string>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bulwark-bodies-'));
    for (const size of [...sizes, mebibyte]) {
      const path = join(folder, String(size));
      const file = await open(path, 'w');
      await file.write('"');
      await file.write('"', size - 1);
      await file.close();
      files.set(size, path);
    }
    await writeFile(join(folder, 'send.py'), python);
    const start = async (app: HttpApp) => {
      apps.push(app);
      return listen(app, { service: 'test', host: '127.0.0.1', port: 0, portSetting: '' });
    };
    const service = createHttpServer({ service: 'test', log, ...limits });
    service.post('/sink', (_, reply) => reply.send({ there: true }));
    const behind = (urls['service'] = await start(service));
    const door = createHttpServer({
      service: 'door',
      log,
      bodyLimitBytes: limits.bodyLimitBytes,
      proxiedLimitBytes: limits.uploadLimitBytes,
    });
    addProxy(door, {
      prefix: '/services/it',
      name: 'it',
      upstream: () => behind,
      largestBodyBytes: limits.uploadLimitBytes,
    });
    urls['door'] = `${await start(door)}/services/it`;
  });
  after(async () => {
    for (const app of apps.reverse()) await app.close();
    await rm(folder, { recursive: true });
  });

  const clients: Record<string, (url: string, size: number) => Promise<number>> = {
    async fetch(url, size) {
      const body = Buffer.alloc(size, 'x');
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await response.text();
      return response.status;
    },
    async 'fetch of a stream'(url, size) {
      const body = new Blob([Buffer.alloc(size, 'x')]).stream();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit);
      await response.text();
      return response.status;
    },
  };
  const curl = async (url: string, size: number, more: string[] = []) => {
    const type = 'content-type: application/json';
    const file = `@${files.get(size)}`;
    const sent = [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-H',
      type,
      ...more,
      '--data-binary',
      file,
      url,
    ];
    return Number((await run('curl', sent)).stdout);
  };
  if (has('curl')) {
    clients['curl'] = (url, size) => curl(url, size);
    clients['curl that does not ask first'] = (url, size) => curl(url, size, ['-H', 'expect:']);
    clients['curl in chunks'] = (url, size) => curl(url, size, ['-H', 'transfer-encoding: chunked']);
    clients['curl that asks first'] = (url, size) => curl(url, size, ['-H', 'expect: 100-continue']);
  }
  if (has('python3'))
    clients['urllib'] = async (url, size) =>
      Number((await run('python3', [join(folder, 'send.py'), url, files.get(size) ?? ''])).stdout);

  for (const [name, send] of Object.entries(clients))
    test(`${name} receives 413 for a body over the limit, from the service and through the front door`, async () => {
      for (const way of ['service', 'door']) {
        const url = `${urls[way]}/sink`;
        for (const size of sizes) assert.equal(await send(url, size), 413, `${way}, ${size} bytes`);
        assert.notEqual(await send(url, mebibyte), 413, `${way}, a body that is taken`);
      }
    });
});
