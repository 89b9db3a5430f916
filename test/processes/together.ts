/** Several processes of one service on one PostgreSQL and one Redis. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '#base/db/open.ts';
import { anyPorts, bareEnv, startBulwark } from '../fixtures/bulwark.ts';
import { freePort } from '../fixtures/free-port.ts';

const password = 'a password of the test';
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

/** Why such tests cannot run here; false if they can. */
export async function whyNot(): Promise<string | false> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return 'needs redis-server';
  return (await onServer('select 1'))
    ? false
    : `needs PostgreSQL: ${new URL(serverUrl).host} does not answer`;
}

export interface Together extends AsyncDisposable {
  readonly urls: readonly string[];
  /** Ends one process as a crash would, and waits until it is gone. */
  kill(at: number): Promise<void>;
  /** One statement at their database. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** An access token of the administrator, valid at each process. */
  readonly token: string;
  /** The parsed response of one process, which must be successful. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape.
  call(at: number, method: string, path: string, body?: object): Promise<any>;
  /** The same of the process’s other service. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  callOther(at: number, method: string, path: string, body?: object): Promise<any>;
}

/** The addresses of the services, read from its output. */
async function addressesOf(child: ChildProcess, services: readonly string[]): Promise<string[]> {
  assert.ok(child.stdout);
  const found = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    for (const service of services) {
      const url = new RegExp(`${service}\\s+(http:\\S+)`).exec(line)?.[1];
      if (url !== undefined) found.set(service, url);
    }
    if (found.size < services.length) continue;
    // Later output is read as well, so that the pipe never fills up.
    child.stdout.resume();
    return services.map((service) => found.get(service) ?? '');
  }
  throw new Error('bulwark serve ended before it listened');
}

/**
 * Starts `count` processes of the service; all end when the result is disposed.
 * @param beside another service that each of them has
 */
export async function startTogether(
  service: string,
  count: number,
  more: Record<string, string> = {},
  beside?: string,
): Promise<Together> {
  const database = `bulwark_test_${randomUUID().replaceAll('-', '')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-processes-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  await onServer(`create database ${database} template template0 encoding 'UTF8'`);
  stack.defer(async () => void (await onServer(`drop database if exists ${database} with (force)`)));
  const endsWithUs = <Child extends ChildProcess>(child: Child): Child => {
    const gone = once(child, 'exit');
    stack.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await gone;
    });
    return child;
  };

  const redisPort = String(await freePort());
  const redis = ['--port', redisPort, '--save', '', '--dir', dataDir, '--bind', '127.0.0.1'];
  endsWithUs(spawn('redis-server', redis, { env: bareEnv(), stdio: ['ignore', 'ignore', 'inherit'] }));
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const env = {
    ...bareEnv(),
    ...anyPorts,
    BULWARK_DATABASE_URL: url.href,
    BULWARK_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    // A busy machine must still wait for Redis: the shared state is under test, not its speed.
    BULWARK_REDIS_TIMEOUT_MS: '30000',
    BULWARK_DATA_DIR: dataDir,
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_JWT_SECRET: randomBytes(32).toString('hex'),
    BULWARK_SECRET_KEY: randomBytes(32).toString('hex'),
    BULWARK_LOG_LEVEL: 'error',
    BULWARK_ENVIRONMENT: 'test',
    ...more,
  };
  const urls: string[] = [];
  const others: string[] = [];
  const children: ChildProcess[] = [];
  const services = [service, ...(beside === undefined ? [] : [beside])];
  // One after the other: the first creates the tables.
  for (let i = 0; i < count; i++) {
    const child = endsWithUs(startBulwark(['serve', ...services], { env }));
    const [url = '', other = ''] = await addressesOf(child, services);
    children.push(child);
    urls.push(url);
    others.push(other);
  }

  const send = async (token: string, url: string, method: string, body?: object) => {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${response.status}: ${await response.clone().text()}`);
    return response.json();
  };
  const login = (await send('', `${urls[0]}/auth/login`, 'POST', { username: 'admin', password })) as {
    access_token: string;
  };
  const token = login.access_token;
  const owned = stack.move();
  return {
    urls,
    token,
    async query(sql) {
      await using db = await openDatabase({ url: url.href, dataDir: '', poolSize: 1 });
      return await db.query(sql);
    },
    async kill(at) {
      const child = children[at];
      if (child === undefined || child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    call: (at, method, path, body) => send(token, `${urls[at]}${path}`, method, body),
    callOther: (at, method, path, body) => send(token, `${others[at]}${path}`, method, body),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
