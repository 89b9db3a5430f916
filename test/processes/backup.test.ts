/** Runs the commands of the backup guide on a database of the product. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { serve } from '../faults/serve.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-backup-'));
after(async () => rm(folder, { recursive: true }));
const dataDir = join(folder, 'data');
const guide = await readFile(join(import.meta.dirname, '../../docs/guides/backup-and-restore.md'), 'utf8');

/** Runs the commands below a heading of the guide in a shell. */
function follow(heading: string) {
  const [, part = ''] = guide.split(`\n### ${heading}\n`);
  const commands = /```sh\n([^]*?)```/.exec(part)?.[1];
  assert.ok(commands, heading);
  return spawnSync('sh', ['-ec', commands], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      BULWARK_DATA_DIR: dataDir,
    },
    encoding: 'utf8',
  });
}

async function withGuard<T>(run: (service: Awaited<ReturnType<typeof serve>>) => Promise<T>): Promise<T> {
  const service = await serve(
    'policy-guard',
    { dataDir },
    {
      BULWARK_PORT_POLICY_GUARD: '0',
      BULWARK_PORT_POLICY_GUARD_GRPC: '0',
    },
  );
  try {
    return await run(service);
  } finally {
    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    await ended;
  }
}

const namesOf = async (service: Awaited<ReturnType<typeof serve>>) =>
  (
    (await service.call('/api/policy_groups')) as {
      policy_groups: { name: string; owner_id: string | null }[];
    }
  ).policy_groups
    .filter(({ owner_id: owner }) => owner !== null)
    .map(({ name }) => name);
const add = (service: Awaited<ReturnType<typeof serve>>, name: string) =>
  service.call('/api/policy_groups', { name, policies: [{ name: 'P', description: 'About chess.' }] });

test('restoring a backup of the embedded database brings its data back, and a running database cannot be backed up', async () => {
  await withGuard(async (service) => {
    await add(service, 'Before');
    assert.match(follow('Back up').stdout, /Bulwark is running/);
    assert.equal(existsSync(join(folder, 'bulwark-backup.tar.gz')), false);
  });
  // A report, as the store of files keeps it.
  const report = join(dataDir, 'artifacts', 'ab', 'report');
  await mkdir(dirname(report), { recursive: true });
  await writeFile(report, 'of before');
  const backup = follow('Back up');
  assert.equal(backup.status, 0, backup.stderr);
  await withGuard(async (service) => {
    await add(service, 'After');
    assert.deepEqual((await namesOf(service)).toSorted(), ['After', 'Before']);
    assert.match(follow('Restore').stdout, /Bulwark is running/);
  });
  const restore = follow('Restore');
  assert.equal(restore.status, 0, restore.stderr);
  const kept = (await readdir(dataDir)).filter((name) => name.startsWith('before-restore-'));
  assert.equal(kept.length, 1, 'existing data is moved aside, not deleted');

  // On a machine that has only the backup.
  await rm(dataDir, { recursive: true });
  assert.equal(follow('Restore').status, 0);
  assert.equal(await readFile(report, 'utf8'), 'of before');
  await withGuard(async (service) => assert.deepEqual(await namesOf(service), ['Before']));
});
