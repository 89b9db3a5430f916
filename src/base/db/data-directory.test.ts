import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { StartupError } from '#base/errors.ts';
import { holdDataDirectory } from './data-directory.ts';

const folders: string[] = [];
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bulwark-directory-'));
  folders.push(dataDir);
});
after(async () => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A process that tries to lock the directory, prints `held` or `refused`, and keeps running. */
async function start(): Promise<{ child: ChildProcess; said: string }> {
  const source = `
    import { holdDataDirectory } from ${JSON.stringify(import.meta.resolve('./data-directory.ts'))};
    setInterval(() => {}, 1000);
    try { await holdDataDirectory(${JSON.stringify(dataDir)}); console.log('held'); } catch { console.log('refused'); }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function kill(child: ChildProcess) {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('a directory in use is refused with its path, the process that holds it and the setting to change', async () => {
  const { child, said } = await start();
  assert.equal(said, 'held');
  await assert.rejects(holdDataDirectory(dataDir), (error) => {
    assert.ok(error instanceof StartupError);
    assert.ok(error.message.includes(dataDir));
    assert.match(error.message, new RegExp(`pid ${child.pid} .*BULWARK_DATA_DIR`));
    return true;
  });
  await kill(child);
});

test('the lock of a killed process is released', async () => {
  const { child, said } = await start();
  assert.equal(said, 'held');
  await kill(child);
  assert.ok(existsSync(join(dataDir, 'bulwark.lock')), 'its lock file still exists');
  await using _hold = await holdDataDirectory(dataDir);
});

test('a lock file that names a running process does not hold the directory by itself', async () => {
  await writeFile(join(dataDir, 'bulwark.lock'), `pid ${process.pid} on elsewhere\n`);
  await using _hold = await holdDataDirectory(dataDir);
});

test('of several processes that start at once exactly one gets the lock, with or without a stale lock file', async () => {
  const { child } = await start();
  await kill(child);
  const all = await Promise.all(Array.from({ length: 6 }, start));
  assert.equal(all.filter(({ said }) => said === 'held').length, 1);
  await Promise.all(all.map((each) => kill(each.child)));
});

test('the same process cannot lock the directory twice, but can lock it again after release', async () => {
  const hold = await holdDataDirectory(dataDir);
  await assert.rejects(holdDataDirectory(dataDir), StartupError);
  // A refused attempt must not have released the lock.
  assert.equal(await start().then(async ({ child, said }) => (await kill(child), said)), 'refused');
  await hold[Symbol.asyncDispose]();
  await using _again = await holdDataDirectory(dataDir);
});

test('other files in the directory stay unchanged', async () => {
  await writeFile(join(dataDir, 'card.md'), 'shipped');
  const hold = await holdDataDirectory(dataDir);
  await hold[Symbol.asyncDispose]();
  assert.deepEqual((await readdir(dataDir)).sort(), ['bulwark.lock.db', 'card.md']);
});

test('a directory that cannot be created fails with one clear message', async () => {
  await writeFile(join(dataDir, 'file'), '');
  await assert.rejects(holdDataDirectory(join(dataDir, 'file')), (error) => {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /BULWARK_DATA_DIR/);
    return true;
  });
});
