import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartupError } from '#base/errors.ts';
import { openDatabase } from './open.ts';
import { makeTestDatabase } from './testing.ts';

const refused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartupError, String(error));
  assert.match(error.message, pattern);
  assert.doesNotMatch(error.message, /sesame/, 'no password in a message');
  return true;
};

test('data written before closing is there after reopening', async () => {
  await using database = await makeTestDatabase();
  {
    await using db = await openDatabase(database.settings);
    await db.script('create table kept (n int); insert into kept values (1)');
  }
  await using db = await openDatabase(database.settings);
  assert.deepEqual(await db.query('select n from kept'), [{ n: 1 }]);
});

test('an unusable server is a StartupError with host and port but without the password', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const open = (url: string) => openDatabase({ url, dataDir: '' });
  await assert.rejects(
    open(`postgres://me:sesame@127.0.0.1:${port}/x`),
    refused(new RegExp(`127.0.0.1:${port}`)),
  );
  server.close();
  await once(server, 'close');
  await assert.rejects(
    open(`postgres://me:sesame@127.0.0.1:${port}/x`),
    refused(new RegExp(`127.0.0.1:${port}.*nothing listens.*BULWARK_DATABASE_URL`)),
  );
  await assert.rejects(
    open('postgres://me:sesame@no-such-host.invalid/x'),
    refused(/no-such-host\.invalid:5432/),
  );
  await assert.rejects(open('postgres://me:sesame@[broken'), refused(/BULWARK_DATABASE_URL/));
  await assert.rejects(open('mysql://me:sesame@127.0.0.1/x'), refused(/BULWARK_DATABASE_URL/));
});

test('the embedded database writes only into its own folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-open-'));
  try {
    await writeFile(join(dataDir, 'shipped.json'), '{}');
    // A first start that was interrupted: its leftovers are created again.
    await mkdir(join(dataDir, 'pglite.new', 'base'), { recursive: true });
    {
      await using db = await openDatabase({ dataDir });
      assert.equal(db.kind, 'pglite');
      await assert.rejects(openDatabase({ dataDir }), refused(/in use by another process \(pid \d+/));
    }
    assert.deepEqual((await readdir(dataDir)).sort(), ['bulwark.lock.db', 'pglite', 'shipped.json']);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('a folder with other files, or with a broken database, is refused and left unchanged', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-open-'));
  try {
    await mkdir(join(dataDir, 'pglite'));
    await writeFile(join(dataDir, 'pglite', 'diary.txt'), 'mine');
    await assert.rejects(
      openDatabase({ dataDir }),
      refused(/contains files but no database.*BULWARK_DATA_DIR/),
    );
    await writeFile(join(dataDir, 'pglite', 'PG_VERSION'), '9.1\n');
    await assert.rejects(openDatabase({ dataDir }), refused(/does not start/));
    assert.deepEqual((await readdir(join(dataDir, 'pglite'))).includes('diary.txt'), true);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
