/** `bulwark` with shadow AI as a program of its own, on an embedded database in a folder of its own. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { anyPorts, shellEnv, startBulwark as startProgram } from '../fixtures/bulwark.ts';

export const password = 'a password of the test';

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape.
  readonly body: any;
  readonly headers: Headers;
}

export interface Sent {
  as?: string | undefined;
  key?: string;
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

export interface Running extends AsyncDisposable {
  readonly url: string;
  /** Where the commands run. */
  readonly folder: string;
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Answer>;
  /** An access token. */
  login(username: string, tenant?: string): Promise<string>;
  /** `bulwark …` in the same folder. */
  run(args: string[], input?: string): Promise<{ code: number | null; out: string; err: string }>;
}

async function call(url: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(sent.as !== undefined && { authorization: `Bearer ${sent.as}` }),
      ...(sent.key !== undefined && { 'x-api-key': sent.key }),
      ...sent.headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    body: isJson ? await response.json() : await response.text(),
    headers: response.headers,
  };
}

/** @param args such as `['up']` or `['serve', 'shadow-ai']` */
export async function startBulwark(args: string[], more: Record<string, string> = {}): Promise<Running> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-shadow-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const env = {
    ...shellEnv(),
    ...anyPorts,
    BULWARK_DATA_DIR: join(folder, 'data'),
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_PASSWORD: password,
    ...more,
  };
  const start = (words: string[]) => startProgram(words, { cwd: folder, env, errors: 'read' });
  const server = start(args);
  const gone = once(server, 'exit');
  stack.defer(async () => {
    server.kill('SIGTERM');
    await gone;
  });
  const complaints = text(server.stderr);
  let printed = '';
  let url: string | undefined;
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    url = /shadow-ai\s+(http:\S+)\s/.exec(printed)?.[1];
    if (url !== undefined) break;
  }
  server.stdout.resume();
  assert.ok(url, `bulwark ended: ${printed}${url === undefined ? await complaints : ''}`);
  const address = url;
  const owned = stack.move();
  return {
    url: address,
    folder,
    call: (method, path, sent) => call(address, method, path, sent),
    async login(username, tenant) {
      const body = { username, password, ...(tenant !== undefined && { tenant_name: tenant }) };
      const answer = await call(address, 'POST', '/auth/login', { body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.access_token;
    },
    async run(words, input = '') {
      const child = start(words);
      child.stdin.end(input);
      const ended = once(child, 'close');
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const [code] = (await ended) as [number | null];
      return { code, out, err };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
