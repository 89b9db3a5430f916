/** Starts one service of the program, to be killed by a test. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { DatabaseSettings } from '#base/db/open.ts';
import { anyPorts, bareEnv, startBulwark } from '../fixtures/bulwark.ts';

const password = 'a password of the test';

export interface Served {
  readonly child: ChildProcess;
  /** Address of the first service. */
  readonly base: string;
  /** Addresses by service name. */
  readonly urls: ReadonlyMap<string, string>;
  /** An access token of the administrator. */
  readonly token: string;
  /** Sends JSON or a form as the administrator. */
  readonly send: (
    path: string,
    body?: object | FormData,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  /** Sends DELETE as the administrator. */
  readonly remove: (path: string) => Promise<Response>;
  /** The parsed response, which must be successful; without a body the method is GET. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever came.
  readonly call: (path: string, body?: object | FormData) => Promise<any>;
}

/**
 * Starts one service, or several in one process, on the database; resolves when it listens and the administrator has
 * signed in.
 */
export async function serve(
  service: string | readonly string[],
  { dataDir, url }: DatabaseSettings,
  env: Record<string, string> = {},
): Promise<Served> {
  const child = startBulwark(['serve', ...[service].flat()], {
    env: {
      ...bareEnv(),
      ...anyPorts,
      BULWARK_DATA_DIR: dataDir === '' ? '/nonexistent' : dataDir,
      ...(url !== undefined && { BULWARK_DATABASE_URL: url }),
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the test with 32 characters',
      BULWARK_SECRET_KEY: 'another secret of the test, 32 characters',
      BULWARK_ENVIRONMENT: 'test',
      BULWARK_LOG_LEVEL: 'error',
      ...env,
    },
  });
  let printed = '';
  const names = [service].flat();
  const urls = new Map<string, string>();
  const base = await new Promise<string | undefined>((resolve) => {
    // The output is read to its end: writing to a closed pipe would end the program.
    child.stdout.on('data', (chunk: Buffer) => {
      printed += String(chunk);
      for (const [, name, found] of printed.matchAll(/^ {2}([\w-]+) +(http:\/\/127\.0\.0\.1:\d+)/gm))
        urls.set(name ?? '', found ?? '');
      if (names.every((name) => urls.has(name))) resolve(urls.get(names[0] ?? ''));
    });
    child.stdout.once('end', () => resolve(undefined));
  });
  assert.ok(base, printed);
  const post = (path: string, body: object | FormData | undefined, headers: Record<string, string>) => {
    const isForm = body instanceof FormData;
    return fetch(base + path, {
      ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
      headers: {
        accept: 'application/json, text/event-stream',
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  };
  const login = await post('/auth/login', { username: 'admin', password }, {});
  const { access_token: token } = (await login.json()) as { access_token: string };
  const send: Served['send'] = (path, body, headers = {}) =>
    post(path, body, { authorization: `Bearer ${token}`, ...headers });
  return {
    child,
    base,
    urls,
    token,
    send,
    remove: (path) => fetch(base + path, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }),
    async call(path, body) {
      const response = await send(path, body);
      assert.ok(response.ok, await response.clone().text());
      return response.json();
    },
  };
}
