/** Requirements that others name, in a folder and in an archive. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { scanHere } from '../scan-here.ts';
import { zipOf } from '../fixtures/archives.ts';

const place = await mkdtemp(join(tmpdir(), 'bulwark-requirements-'));
after(() => rm(place, { recursive: true, force: true }));
const files = {
  'project/requirements.txt':
    'flask==3.0.0\n-r other.txt\n-c deps/limits\n-r gone.txt\n-r ../outside.txt\n-r linked.txt\n',
  'project/other.txt': 'requests==2.31.0\n-r deps/nested.list\n',
  'project/deps/nested.list': 'urllib3==1.26.0\n-r ../requirements.txt\n',
  'project/deps/limits': 'idna==3.4\n',
  'project/unnamed.txt': 'never==1.0.0\n',
  'project/a.py': 'x = 1\n',
  'outside.txt': 'secret==1.0.0\n',
};
for (const [path, content] of Object.entries(files)) {
  await mkdir(dirname(join(place, path)), { recursive: true });
  await writeFile(join(place, path), content);
}
await symlink('../outside.txt', join(place, 'project/linked.txt'));

const packagesOf = async (target: string) => {
  const { scans } = await scanHere(target, { repositoryHosts: [], version: '0', onStage: () => undefined });
  const [{ result } = assert.fail()] = scans;
  return { names: result.packages.map(({ name }) => name).toSorted(), notes: result.notes.join(' ') };
};

test('are followed by whatever name, within the project, and what is not read is told truly', async () => {
  const { names, notes } = await packagesOf(join(place, 'project'));
  assert.deepEqual(names, ['flask', 'idna', 'requests', 'urllib3']);
  assert.match(
    notes,
    /gone\.txt names dependencies and was not read: requirements\.txt names it, and there is no such file/,
  );
  assert.match(
    notes,
    /outside\.txt names dependencies and was not read: requirements\.txt names it, and it lies outside the project/,
  );
  assert.match(notes, /linked\.txt names dependencies and was not read/);
  assert.doesNotMatch(notes, /other\.txt names/);
});

test('are followed in an archive too', async () => {
  const packed = Object.entries(files).filter(([path]) => path.startsWith('project/'));
  const path = join(place, 'project.zip');
  await writeFile(
    path,
    await zipOf(Object.fromEntries(packed.map(([name, text]) => [name.slice('project/'.length), text]))),
  );
  assert.deepEqual((await packagesOf(path)).names, ['flask', 'idna', 'requests', 'urllib3']);
});
