/** Changes of the key that encrypts secrets at rest, in started programs: nothing is lost with the old key. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase, type TestDatabaseSettings } from '#base/db/testing.ts';
import { StartupError } from '#base/errors.ts';
import { startBulwark, type Bulwark } from '../../src/main.ts';
import { sealedColumns } from '../../src/services.ts';
import type { ServiceName } from '../../src/settings.ts';

const names: readonly ServiceName[] = [
  'agent-gateway',
  'action-guard',
  'mcp-scan',
  'model-scan',
  'policy-guard',
  'red-team',
  'shadow-ai',
  'video-moderation',
];
const keys = {
  a: 'the first sealing key with 32 characters',
  b: 'the second sealing key of 32 characters',
  c: 'the third sealing key with 32 characters',
};
const password = 'a password of the test';

let database: TestDatabaseSettings;
let dataDir: string;
before(async () => {
  database = await makeTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'bulwark-rotation-'));
});
after(async () => {
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const start = (secretKey: string, more: Record<string, string> = {}, which = names): Promise<Bulwark> =>
  startBulwark(
    which,
    {
      BULWARK_DATA_DIR: database.settings.dataDir === '' ? dataDir : database.settings.dataDir,
      ...(database.settings.url !== undefined && { BULWARK_DATABASE_URL: database.settings.url }),
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the test with 32 characters',
      BULWARK_SECRET_KEY: secretKey,
      ...Object.fromEntries(
        [...names, 'policy-guard-grpc', 'video-moderation-grpc', 'red-team-pool'].map((name) => [
          `BULWARK_PORT_${name.replaceAll('-', '_').toUpperCase()}`,
          '0',
        ]),
      ),
      BULWARK_LOG_LEVEL: 'silent',
      BULWARK_ENVIRONMENT: 'test',
      BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32',
      BULWARK_SHUTDOWN_DELAY_MS: '0',
      ...more,
    },
    { onFirstAdmin: () => {} },
  );

const urlOf = ({ services }: Bulwark, service: ServiceName): string =>
  services.find(({ name }) => name === service)?.url ?? assert.fail(service);

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
async function send(url: string, method: string, token: string, body?: object): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${method} ${url}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

async function signIn(bulwark: Bulwark, service: ServiceName): Promise<string> {
  const login = await send(`${urlOf(bulwark, service)}/auth/login`, 'POST', '', {
    username: 'admin',
    password,
  });
  return login.access_token;
}

/** Waits until the process says that the old key is no longer needed. */
async function rotated(bulwark: Bulwark): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const { key_rotation: state } = await send(`${urlOf(bulwark, 'agent-gateway')}/readyz`, 'GET', '');
    if (state === 'done') return;
    assert.equal(state, 'running');
    await sleep(50);
  }
  assert.fail('never done');
}

test('secrets of all services outlive the key that encrypted them', async (t) => {
  let serverId = '';
  const lostSecrets = async (bulwark: Bulwark) => {
    const token = await signIn(bulwark, 'agent-gateway');
    const shown = await send(`${urlOf(bulwark, 'agent-gateway')}/api/mcp-servers/${serverId}`, 'GET', token);
    return shown.lost_secrets ?? [];
  };
  await t.test('secrets are stored with the first key', async () => {
    await using bulwark = await start(keys.a);
    const token = await signIn(bulwark, 'agent-gateway');
    const server = {
      name: 'With secrets',
      transport: 'stdio',
      command: 'true',
      args: ['--token', 'abc123'],
      env: { TOKEN: 'a secret' },
    };
    ({ id: serverId } = await send(
      `${urlOf(bulwark, 'agent-gateway')}/api/mcp-servers`,
      'POST',
      token,
      server,
    ));
    await send(`${urlOf(bulwark, 'shadow-ai')}/api/v1/shadow-ai/saas-config`, 'PUT', token, {
      host: 'example.service-now.com',
      user: 'reader',
      password: 'of the instance',
    });
    assert.deepEqual(await lostSecrets(bulwark), []);
    const ready = await send(`${urlOf(bulwark, 'agent-gateway')}/readyz`, 'GET', '');
    assert.equal(ready.key_rotation, undefined);
  });

  await t.test(
    'a start with both keys encrypts them anew, of services too that it does not run',
    async () => {
      await using bulwark = await start(keys.b, { BULWARK_SECRET_KEY_PREVIOUS: keys.a }, ['agent-gateway']);
      await rotated(bulwark);
      assert.deepEqual(await lostSecrets(bulwark), []);
    },
  );

  await t.test('then the new key alone opens them', async () => {
    await using bulwark = await start(keys.b);
    assert.deepEqual(await lostSecrets(bulwark), []);
    const token = await signIn(bulwark, 'shadow-ai');
    const inventory = await fetch(`${urlOf(bulwark, 'shadow-ai')}/api/v1/shadow-ai/saas-inventory`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.doesNotMatch(await inventory.text(), /cannot be opened/);
  });

  /** The stored secret of the server. */
  const stored = async () => {
    await using db = await openDatabase(database.settings);
    const [row] = await db.query<{ env: Buffer }>(
      'select env from agent_gateway.mcp_servers where server_id = $1',
      [serverId],
    );
    return row?.env;
  };
  /** As if a process that still had the old key had written it. */
  const writeAgain = async (env: Buffer | undefined) => {
    await using db = await openDatabase(database.settings);
    await db.query('update agent_gateway.mcp_servers set env = $2 where server_id = $1', [serverId, env]);
  };

  await t.test('a start without the old key is refused while a secret needs it', async () => {
    const before_ = await stored();
    {
      await using bulwark = await start(keys.c, { BULWARK_SECRET_KEY_PREVIOUS: keys.b });
      await rotated(bulwark);
    }
    const renewed = await stored();
    assert.notDeepEqual(renewed, before_);
    await writeAgain(before_);
    await assert.rejects(
      start(keys.c),
      (error) =>
        error instanceof StartupError &&
        error.message.includes('1 in agent_gateway.mcp_servers (env)') &&
        error.message.includes('BULWARK_SECRET_KEY_PREVIOUS') &&
        !error.message.includes(keys.b),
    );
    {
      await using bulwark = await start(keys.c, { BULWARK_SECRET_KEY_PREVIOUS: keys.b });
      await rotated(bulwark);
    }
    await using bulwark = await start(keys.c);
    assert.deepEqual(await lostSecrets(bulwark), []);
  });

  await t.test('secrets whose key is lost are given up on purpose only', async () => {
    const before_ = await stored();
    {
      await using bulwark = await start(keys.a, { BULWARK_SECRET_KEY_PREVIOUS: keys.c });
      await rotated(bulwark);
    }
    await writeAgain(before_);
    await assert.rejects(start(keys.a), StartupError);
    {
      await using bulwark = await start(keys.a, { BULWARK_ACCEPT_NEW_KEYS: 'true' });
      assert.deepEqual(await lostSecrets(bulwark), ['env']);
    }
    await using bulwark = await start(keys.a);
    assert.deepEqual(await lostSecrets(bulwark), ['env']);
  });
});

test('each column of sealed secrets is registered', async () => {
  const plain = new Set([
    // Contents and hashes, none of them encrypted.
    'action_guard.extraction_inputs.content',
    'bulwark.key_checks.check_value',
    'bulwark.replaced_keys.check_value',
    'video_moderation.streams.ingest_token',
  ]);
  await using db = await openDatabase(database.settings);
  const columns = await db.query<{ name: string }>(
    `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
      where data_type = 'bytea' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const registered = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
  const found = columns.map(({ name }) => name).filter((name) => !plain.has(name));
  assert.deepEqual(found, [...registered].toSorted(), 'see src/services.ts');
});
