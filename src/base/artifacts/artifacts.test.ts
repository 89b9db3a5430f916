import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Database } from '../db/database.ts';
import { openTestDatabase } from '../db/testing.ts';
import { AppError } from '../errors.ts';
import { createArtifacts, type Artifacts, type PutOptions } from './artifacts.ts';
import { startS3Server } from './fixtures/s3-server.ts';
import { folderObjects } from './folder-objects.ts';
import { artifactMigrations } from './migrations.ts';
import type { Objects } from './objects.ts';
import { s3Objects } from './s3-objects.ts';

const hourMs = 3_600_000;
const quotaBytes = 1_000_000;
let db: Database;
let folder: string;
let server: Awaited<ReturnType<typeof startS3Server>>;
let nowMs = Date.UTC(2026, 0, 1);
const clock = { now: () => nowMs };
const users = new Map<string, Objects>();

before(async () => {
  db = await openTestDatabase([artifactMigrations]);
  folder = await mkdtemp(join(tmpdir(), 'bulwark-artifacts-'));
  server = await startS3Server({ bucket: 'files', accessKeyId: 'reader', secretAccessKey: 'a secret key' });
  users.set('folder', folderObjects(join(folder, 'objects')));
  users.set('s3', s3With());
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const s3With = (secretAccessKey = 'a secret key') =>
  s3Objects({
    endpoint: server.endpoint,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'reader',
    secretAccessKey,
    timeoutMs: 10_000,
  });

const incoming = () => join(folder, 'incoming');
const artifactsIn = (objects: Objects): Artifacts =>
  createArtifacts({ db, objects, clock, incoming: incoming(), quotaBytes });

const options: PutOptions = { limitBytes: 500_000, name: 'report.pdf', mediaType: 'application/pdf' };
const owner = (tenantId: string) => ({ tenantId, userId: 'somebody' });
const streamOf = (bytes: Buffer | string) => Readable.from([bytes], { objectMode: false });
const status = (expected: number) => (error: unknown) => {
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.status, expected, error.message);
  return true;
};

test('folder and S3 stores: an artifact can be read whole and in part, by its own tenant only', async (t) => {
  for (const [name, objects] of users)
    await t.test(name, async () => {
      const artifacts = artifactsIn(objects);
      const bytes = randomBytes(200_000);
      const mine = owner(`one-${name}`);
      const made = await artifacts.put(mine, streamOf(bytes), options);
      assert.equal(made.sizeBytes, bytes.length);
      const { artifact, content } = await artifacts.open({ ...mine, userId: 'another' }, made.id);
      assert.deepEqual(artifact, made);
      assert.deepEqual(await buffer(content), bytes);
      const part = await artifacts.open(mine, made.id, { start: 1000, end: 1999 });
      assert.deepEqual(await buffer(part.content), bytes.subarray(1000, 2000));
      const tail = await artifacts.open(mine, made.id, { start: 199_999, end: 10 ** 9 });
      assert.deepEqual(await buffer(tail.content), bytes.subarray(199_999));
      await assert.rejects(artifacts.open(mine, made.id, { start: 200_000, end: 200_001 }), status(416));
      const other = owner(`other-${name}`);
      await assert.rejects(artifacts.open(other, made.id), status(404));
      await assert.rejects(artifacts.delete(other, made.id), status(404));
      assert.deepEqual(await artifacts.list(other, { limit: 10, offset: 0 }), { artifacts: [], total: 0 });
      assert.deepEqual(await artifacts.list(mine, { limit: 10, offset: 0 }), { artifacts: [made], total: 1 });
      await artifacts.delete(mine, made.id);
      await assert.rejects(artifacts.open(mine, made.id), status(404));
      assert.equal(await objects.read(made.id, undefined), undefined);
    });
});

test('a file whose bytes are gone from the store is answered with 410', async (t) => {
  for (const [name, objects] of users)
    await t.test(name, async () => {
      const artifacts = artifactsIn(objects);
      const mine = owner(`gone-${name}`);
      const made = await artifacts.put(mine, streamOf('a report'), options);
      // As after a restore of the database alone.
      await objects.remove(made.id);
      await assert.rejects(artifacts.open(mine, made.id), status(410));
      await assert.rejects(artifacts.open(mine, made.id, { start: 0, end: 1 }), status(410));
    });
});

test('an empty file can be stored and read', async (t) => {
  for (const [name, objects] of users)
    await t.test(name, async () => {
      const artifacts = artifactsIn(objects);
      const made = await artifacts.put(owner('empty'), streamOf(''), options);
      assert.equal(await text((await artifacts.open(owner('empty'), made.id)).content), '');
    });
});

test('a file over the size limit or the quota is not kept; two concurrent uploads cannot both take the remaining quota', async () => {
  const artifacts = artifactsIn(users.get('folder')!);
  const mine = owner('much');
  await assert.rejects(artifacts.put(mine, streamOf(Buffer.alloc(500_001)), options), status(413));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => artifacts.put(mine, streamOf(Buffer.alloc(400_000)), options)),
  );
  const made = outcomes.filter((each) => each.status === 'fulfilled');
  assert.equal(made.length, 2);
  for (const each of outcomes) if (each.status === 'rejected') status(413)(each.reason);
  assert.equal((await artifacts.list(mine, { limit: 1, offset: 0 })).total, 2);
  assert.deepEqual(await readdir(incoming()), []);
  await artifacts.delete(mine, made[0]!.value.id);
  await artifacts.put(mine, streamOf(Buffer.alloc(400_000)), options);
});

test('a failing input stream and an aborted caller leave no artifact behind', async () => {
  const artifacts = artifactsIn(users.get('folder')!);
  const mine = owner('failing');
  const failing = Readable.from(
    (function* () {
      yield Buffer.from('some');
      throw new Error('the line broke');
    })(),
  );
  await assert.rejects(artifacts.put(mine, failing, options), /the line broke/);
  const caller = new AbortController();
  const endless = new Readable({ read() {} });
  endless.push('some');
  const put = artifacts.put(mine, endless, { ...options, signal: caller.signal });
  setImmediate(() => caller.abort(new Error('gone')));
  await assert.rejects(put, /gone/);
  await assert.rejects(artifacts.put(mine, streamOf('x'), { ...options, name: '../x' }), status(422));
  await assert.rejects(artifacts.put(mine, streamOf('x'), { ...options, mediaType: 'a\r\nb' }), status(422));
  assert.equal((await artifacts.list(mine, { limit: 1, offset: 0 })).total, 0);
  assert.deepEqual(await readdir(incoming()), []);
});

test('an upload that a crashed process left unfinished is never listed, and is deleted later', async () => {
  const objects = users.get('folder')!;
  const written = Promise.withResolvers<string>();
  // The process dies after the bytes are stored, before that is recorded.
  const dying = artifactsIn({
    ...objects,
    async write(id, file, facts) {
      await objects.write(id, file, facts);
      written.resolve(id);
      await new Promise(() => {});
    },
  });
  const mine = owner('dying');
  void dying.put(mine, streamOf('half'), options);
  const id = await written.promise;
  const artifacts = artifactsIn(objects);
  const leftover = join(incoming(), 'leftover');
  await writeFile(leftover, 'half of it');
  await utimes(leftover, new Date(nowMs), new Date(nowMs));
  await assert.rejects(artifacts.open(mine, id), status(404));
  await artifacts.clean();
  const half = await objects.read(id, undefined);
  assert.equal(half && (await text(half)), 'half');
  nowMs += 25 * hourMs;
  await artifacts.clean();
  assert.equal(await objects.read(id, undefined), undefined);
  assert.deepEqual(await db.query('select id from artifacts.artifacts where tenant_id = $1', ['dying']), []);
  assert.deepEqual(await readdir(incoming()), []);
});

test('expired artifacts are no longer readable and are deleted; the others stay', async () => {
  const objects = users.get('s3')!;
  const artifacts = artifactsIn(objects);
  const mine = owner('old');
  const short = await artifacts.put(mine, streamOf('short'), { ...options, ttlMs: hourMs });
  const long = await artifacts.put(mine, streamOf('long'), options);
  nowMs += hourMs;
  await assert.rejects(artifacts.open(mine, short.id), status(404));
  await artifacts.clean();
  assert.equal(await objects.read(short.id, undefined), undefined);
  assert.equal(await text((await artifacts.open(mine, long.id)).content), 'long');
});

test('when the store refuses our credentials the error is 503, and no artifact is listed', async () => {
  const artifacts = artifactsIn(s3With('a wrong key'));
  const mine = owner('refused');
  await assert.rejects(artifacts.put(mine, streamOf('x'), options), (error: unknown) => {
    status(503)(error);
    assert.match(String((error as Error).cause), /SignatureDoesNotMatch/);
    return true;
  });
  assert.equal((await artifacts.list(mine, { limit: 1, offset: 0 })).total, 0);
});
