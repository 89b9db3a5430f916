import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keyFile } from './key-file.ts';

test('processes that start at once share one key file, readable only by its owner', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-keys-'));
  const keys = await Promise.all(Array.from({ length: 20 }, () => keyFile(folder, 'jwt')));
  assert.equal(new Set(keys).size, 1);
  assert.equal(Buffer.from(keys[0]!, 'base64url').length, 32);
  assert.equal((await stat(join(folder, 'secrets', 'jwt'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(join(folder, 'secrets')), ['jwt']);
  assert.notEqual(await keyFile(folder, 'other'), keys[0]);
  await rm(folder, { recursive: true });
});
