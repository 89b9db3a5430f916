/** Probes, and secrets that all processes of one database must share, in started programs. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase, type TestDatabaseSettings } from '#base/db/testing.ts';
import { StartupError } from '#base/errors.ts';
import { startBulwark, type Bulwark } from '../../src/main.ts';

const first = {
  jwt: 'the first secret of tokens, 32 characters',
  seal: 'the first sealing key with 32 characters',
};
const second = {
  jwt: 'another secret of tokens, 32 characters',
  seal: 'another sealing key with 32 characters',
};

describe('one database', () => {
  let database: TestDatabaseSettings;
  let dataDir: string;
  before(async () => {
    database = await makeTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'bulwark-readiness-'));
  });
  after(async () => {
    await database[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });
  const isEmbedded = process.env['BULWARK_TEST_DATABASE'] !== 'postgres';

  const start = (keys: { jwt: string; seal: string }, more: Record<string, string> = {}): Promise<Bulwark> =>
    startBulwark(
      ['action-guard'],
      {
        BULWARK_DATA_DIR: isEmbedded ? database.settings.dataDir : dataDir,
        ...(!isEmbedded && { BULWARK_DATABASE_URL: database.settings.url ?? '' }),
        BULWARK_ADMIN_PASSWORD: 'a password of the test',
        BULWARK_JWT_SECRET: keys.jwt,
        BULWARK_SECRET_KEY: keys.seal,
        BULWARK_PORT_ACTION_GUARD: '0',
        BULWARK_LOG_LEVEL: 'silent',
        BULWARK_ENVIRONMENT: 'test',
        BULWARK_SHUTDOWN_DELAY_MS: '0',
        ...more,
      },
      { onFirstAdmin: () => {} },
    );
  const urlOf = ({ services }: Bulwark) => services[0]?.url ?? '';
  const probe = async (bulwark: Bulwark) => {
    const response = await fetch(`${urlOf(bulwark)}/readyz`);
    const { checks } = (await response.json()) as { checks: Record<string, string> };
    const failing = Object.keys(checks).filter((name) => checks[name] === 'failing');
    return { status: response.status, failing };
  };

  test('probes need no credential, and readiness ends before the process does', async () => {
    await using bulwark = await start(first);
    assert.equal((await fetch(`${urlOf(bulwark)}/livez`)).status, 200);
    const ready = await fetch(`${urlOf(bulwark)}/readyz`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [
        200,
        {
          status: 'ok',
          checks: { database: 'ok', migrations: 'ok', keys: 'ok', jobs: 'ok' },
        },
      ],
    );
  });

  test('a changed secret is refused with the name of its setting, and the original one still works', async () => {
    for (const [keys, setting] of [
      [{ ...first, jwt: second.jwt }, 'BULWARK_JWT_SECRET'],
      [{ ...first, seal: second.seal }, 'BULWARK_SECRET_KEY'],
    ] as const)
      await assert.rejects(
        start(keys),
        (error) =>
          error instanceof StartupError &&
          error.message.startsWith(`${setting} `) &&
          !error.message.includes(second.jwt) &&
          !error.message.includes(second.seal),
      );
    await (await start(first))[Symbol.asyncDispose]();
  });

  test('during a planned change of a secret, old tokens stay valid', async () => {
    const before_ = await start(first);
    const login = await fetch(`${urlOf(before_)}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'a password of the test' }),
    });
    const { access_token: token } = (await login.json()) as { access_token: string };
    await before_[Symbol.asyncDispose]();
    const me = (bulwark: Bulwark) =>
      fetch(`${urlOf(bulwark)}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    {
      await using changed = await start(second, {
        BULWARK_JWT_PREVIOUS_SECRET: first.jwt,
        BULWARK_SECRET_KEY_PREVIOUS: first.seal,
      });
      assert.equal((await me(changed)).status, 200);
    }
    {
      await using changed = await start(second);
      assert.equal((await me(changed)).status, 401, 'without the previous secret its tokens are refused');
    }
    await assert.rejects(start(first), StartupError);
    await (await start(first, { BULWARK_ACCEPT_NEW_KEYS: 'true' }))[Symbol.asyncDispose]();
    await assert.rejects(start(second), StartupError);
  });

  test(
    'a process with outdated keys, or without the newest migration, is not ready',
    { skip: isEmbedded },
    async () => {
      await using old = await start(first);
      assert.equal((await probe(old)).status, 200);
      await using _changed = await start(second, {
        BULWARK_JWT_PREVIOUS_SECRET: first.jwt,
        BULWARK_SECRET_KEY_PREVIOUS: first.seal,
      });
      await using db = await openDatabase(database.settings);
      await db.query(`update bulwark.migrations set name = name || '_other' where schema = 'action_guard'`);
      const failing = async () => {
        // The status is cached for up to a second.
        for (;;) {
          const { status, failing: names } = await probe(old);
          if (status === 503) return names;
        }
      };
      assert.deepEqual(await failing(), ['migrations', 'keys']);
    },
  );
});
