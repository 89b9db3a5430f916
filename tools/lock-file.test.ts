import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignBinary } from './lock-file/foreign-binary.ts';
import { lockProblems, missingBinaries, withEntries, type Lock } from './lock-file/lock.ts';

const integrity = 'sha512-x';
const lock: Lock = {
  packages: {
    '': { dependencies: { tool: '^1.0.0' } },
    'node_modules/tool': {
      version: '1.2.3',
      integrity,
      optionalDependencies: { '@t/b-linux-x64-musl': '1.2.3', '@t/b-wasm32-wasi': '1.2.3' },
    },
  },
};
const manifest = { dependencies: { tool: '^1.0.0' } };

test('binaries for other platforms that npm left out are reported, and can be added', () => {
  assert.equal(lockProblems(lock, { '': manifest }).length, 2);
  const added = missingBinaries(lock).map(({ path, name, version, parent }) => ({
    path,
    entry: foreignBinary(name, version, parent),
  }));
  assert.deepEqual(added[0]?.entry, {
    version: '1.2.3',
    cpu: ['x64'],
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  });
  assert.deepEqual(lockProblems(withEntries(lock, added), { '': manifest }), []);
  assert.throws(() => foreignBinary('@t/native', '1.0.0', {}), /does not tell its platform/);
});

test('a package that is not locked, has no checksum or names a registry is reported', () => {
  const wrong: Lock = {
    packages: {
      '': { dependencies: { tool: '^1.0.0' } },
      'node_modules/tool': {
        version: '1.0.0',
        resolved: 'https://registry.example/t',
        dependencies: { none: '1' },
      },
    },
  };
  const said = lockProblems(wrong, { '': { dependencies: { tool: '^2.0.0' } } }).join('\n');
  for (const part of [
    /tool is \^1\.0\.0, and \^2\.0\.0/,
    /none is missing/,
    /address of a registry/,
    /no checksum/,
  ])
    assert.match(said, part);
});

test('a workspace is a folder of our own: it has no checksum, and its ranges are those of its package.json', () => {
  const lock: Lock = {
    packages: {
      '': {},
      pages: { version: '1.0.0', dependencies: { view: '^1.0.0' } },
      'node_modules/pages': { resolved: 'pages', link: true },
      'node_modules/view': { version: '1.0.0', integrity: 'sha512-a' },
    },
  };
  const manifest = { dependencies: { view: '^1.0.0' } };
  assert.deepEqual(lockProblems(lock, { '': {}, pages: manifest }), []);
  assert.deepEqual(lockProblems(lock, { '': {}, pages: { dependencies: { view: '^2.0.0' } } }), [
    'view is ^1.0.0, and ^2.0.0 in pages/package.json.',
  ]);
});
