import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeLeftFolders } from './left-folders.ts';

test('folders of killed processes are removed, and no others', async () => {
  const within = await mkdtemp(join(tmpdir(), 'bulwark-left-test-'));
  const now = Date.now();
  try {
    for (const name of [
      'bulwark-scan-abc123',
      'bulwark-form-ABC123',
      'bulwark-scan-new123',
      'bulwark-other',
    ]) {
      await mkdir(join(within, name));
      await writeFile(join(within, name, 'upload'), 'x');
      const at = new Date(name.includes('new') ? now : now - 30 * 3_600_000);
      await utimes(join(within, name), at, at);
    }
    await removeLeftFolders(now, within);
    assert.deepEqual((await readdir(within)).toSorted(), ['bulwark-other', 'bulwark-scan-new123']);
  } finally {
    await rm(within, { recursive: true, force: true });
  }
});
