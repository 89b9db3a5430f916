/** An identity over a database of its own on a bare server, for tests of this room and of services. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import type { Database } from '#base/db/database.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { createHttpServer, type HttpApp } from '#base/http/server.ts';
import { createLog } from '#base/log/log.ts';
import { createIdentity, type Identity } from './identity.ts';
import { identityMigrations } from './migrations.ts';

export const adminPassword = 'correct horse battery staple';
export const userPassword = 'a password for tests';

/** A clock that a test advances. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

function testClock(): TestClock {
  let nowMs = Date.now();
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}

export interface TestCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** An access token. */
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** The caller's address; default: 127.0.0.1. */
  from?: string;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
  body: any;
}

export interface TestIdentity extends AsyncDisposable {
  identity: Identity;
  app: HttpApp;
  db: Database;
  clock: TestClock;
  readonly call: (url: string, call?: TestCall) => Promise<TestAnswer>;
  /** Signs in, by default as the first administrator; returns the tokens. */
  readonly login: (
    username?: string,
    password?: string,
    tenantName?: string,
  ) => Promise<{ access_token: string; refresh_token: string }>;
  /** Makes a user as the first administrator; its password is {@link userPassword}. */
  readonly addUser: (
    username: string,
    tenantName?: string,
    roles?: string[],
  ) => Promise<{ id: string; token: string }>;
}

/** `env` as in the environment; the first administrator has {@link adminPassword}. */
export async function openTestIdentity(
  env: Record<string, string> = {},
  shared: { db?: Database; clock?: TestClock } = {},
): Promise<TestIdentity> {
  const db = shared.db ?? (await openTestDatabase([identityMigrations]));
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-identity-'));
  const clock = shared.clock ?? testClock();
  const log = createLog({ level: 'silent' });
  const config = loadConfig(platformSections, {
    BULWARK_DATA_DIR: dataDir,
    BULWARK_ADMIN_PASSWORD: adminPassword,
    ...env,
  });
  const identity = await createIdentity({ config, db, log, clock, strictAnswers: true });
  const app = createHttpServer({ service: 'test', log, bodyLimitBytes: config.limits.bodyBytes });
  identity.mount(app, { apiKeys: true, savedViews: true, counted: (caller) => caller });

  const call: TestIdentity['call'] = async (url, { method, token, headers, body, from } = {}) => {
    const response = await app.inject({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      url,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
      ...(from !== undefined && { remoteAddress: from }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const answered = isJson ? response.json() : response.body;
    return { status: response.statusCode, headers: response.headers, body: answered };
  };
  const login: TestIdentity['login'] = async (
    username = 'admin',
    password = adminPassword,
    tenantName = 'system',
  ) => {
    const answer = await call('/auth/login', { body: { username, password, tenant_name: tenantName } });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  const addUser: TestIdentity['addUser'] = async (username, tenantName = 'system', roles = ['member']) => {
    const { access_token: token } = await login();
    clock.advance(1);
    const body = { username, password: userPassword, tenant_name: tenantName, roles };
    const answer = await call('/auth/register', { token, body });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    const tokens = await login(username, userPassword, tenantName);
    return { id: answer.body.id, token: tokens.access_token };
  };

  return {
    identity,
    app,
    db,
    clock,
    call,
    login,
    addUser,
    async [Symbol.asyncDispose]() {
      await app.close();
      await identity[Symbol.asyncDispose]();
      if (shared.db === undefined) await db[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}
