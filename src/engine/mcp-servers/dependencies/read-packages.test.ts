import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLines } from './fixtures/package-lines.ts';
import { readPackages } from './read-packages.ts';

describe('lock files of Node', () => {
  it('npm, first version: nested, other names, addresses', () => {
    const lock = {
      lockfileVersion: 1,
      dependencies: {
        express: {
          version: '4.18.2',
          requires: { debug: '2.6.9' },
          dependencies: { debug: { version: '2.6.9' } },
        },
        old: { version: 'npm:@scope/new@1.2.3' },
        forked: {
          version: 'git+ssh://git@github.com/someone/forked.git#4f2a',
          from: 'forked@someone/forked',
        },
        mocha: { version: '10.2.0', dev: true },
      },
    };
    assert.deepEqual(readLines('package-lock.json', JSON.stringify(lock)), [
      'express@4.18.2',
      'debug@2.6.9',
      '@scope/new@1.2.3',
      'forked@? git:git+ssh://git@github.com/someone/forked.git#4f2a',
      'mocha@10.2.0 dev',
    ]);
  });

  it("npm, third version: workspaces, links, registries of one's own and plain addresses", () => {
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': {
          name: 'server',
          dependencies: { zod: '^3.22.0', patched: 'https://files.example.com/patched.tgz' },
        },
        'node_modules/zod': { version: '3.22.4', resolved: 'https://npm.example.com/zod/-/zod-3.22.4.tgz' },
        'node_modules/patched': { version: '1.0.0', resolved: 'https://files.example.com/patched.tgz' },
        'node_modules/a/node_modules/@b/c': { version: '2.0.0', dev: true },
        'node_modules/own': { resolved: 'packages/own', link: true },
        'packages/own': { version: '0.0.1' },
      },
    };
    assert.deepEqual(readLines('package-lock.json', JSON.stringify(lock)), [
      'zod@3.22.4 direct',
      'patched@1.0.0 url:https://files.example.com/patched.tgz direct',
      '@b/c@2.0.0 dev',
    ]);
  });

  it('yarn, classic: several ranges, other names, line ends of Windows', () => {
    const lock = `# yarn lockfile v1


"@babel/code-frame@^7.0.0", "@babel/code-frame@^7.12.13":
  version "7.22.13"
  resolved "https://npm.example.com/@babel/code-frame/-/code-frame-7.22.13.tgz#e3c1"
  dependencies:
    chalk "^2.4.2"

"string-width-cjs@npm:string-width@^4.2.0", string-width@^4.1.0:
  version "4.2.3"

forked@https://files.example.com/forked.tgz:
  version "0.3.0"
  resolved "https://files.example.com/forked.tgz#77"
`;
    const found = [
      '@babel/code-frame@7.22.13',
      'string-width@4.2.3',
      'forked@0.3.0 url:https://files.example.com/forked.tgz#77',
    ];
    assert.deepEqual(readLines('yarn.lock', lock), found);
    assert.deepEqual(readLines('yarn.lock', lock.replaceAll('\n', '\r\n')), found);
  });

  it('yarn, berry: patches, git, the project itself', () => {
    const lock = `__metadata:
  version: 8
  cacheKey: 10c0

"server@workspace:.":
  version: 0.0.0-use.local
  resolution: "server@workspace:."
  languageName: unknown
  linkType: soft

"typescript@patch:typescript@npm%3A^5.4.0#optional!builtin<compat/typescript>":
  version: 5.4.5
  resolution: "typescript@patch:typescript@npm%3A5.4.5#optional!builtin<compat/typescript>::version=5.4.5&hash=5adc0c"
  languageName: node
  linkType: hard

"tool@git@github.com:someone/tool.git":
  version: 1.1.0
  resolution: "tool@git@github.com:someone/tool.git#commit=9af3"
  languageName: node
  linkType: hard

"@scope/a@npm:^1.0.0":
  version: 1.4.0
  resolution: "@scope/a@npm:1.4.0"
  linkType: hard
`;
    assert.deepEqual(readLines('yarn.lock', lock), [
      'typescript@5.4.5',
      'tool@1.1.0 git:git@github.com:someone/tool.git#commit=9af3',
      '@scope/a@1.4.0',
    ]);
  });

  it('pnpm, versions 5, 6 and 9: peers, tarballs, links', () => {
    const fifth = `lockfileVersion: 5.4
dependencies:
  react-dom: 17.0.2_react@17.0.2
packages:
  /react-dom/17.0.2_react@17.0.2:
    resolution: {integrity: sha512-x}
    dev: false
  /@babel/core/7.20.0:
    resolution: {integrity: sha512-x}
    dev: true
`;
    const sixth = `lockfileVersion: '6.0'
importers:
  .:
    dependencies:
      react-dom:
        specifier: ^18.2.0
        version: 18.2.0(react@18.2.0)
packages:
  /react-dom@18.2.0(react@18.2.0):
    resolution: {integrity: sha512-x}
    dev: false
  /@types/node@20.1.0:
    resolution: {integrity: sha512-x}
    dev: true
  github.com/someone/tool/4f2a:
    resolution: {tarball: https://codeload.github.com/someone/tool/tar.gz/4f2a}
    name: tool
    version: 2.0.0
`;
    const ninth = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      react-dom:
        specifier: ^18.2.0
        version: 18.2.0(react@18.2.0)
      own:
        specifier: workspace:*
        version: link:../own
packages:
  react-dom@18.2.0:
    resolution: {integrity: sha512-x}
    peerDependencies:
      react: ^18.2.0
  tool@https://codeload.github.com/someone/tool/tar.gz/4f2a:
    resolution: {tarball: https://codeload.github.com/someone/tool/tar.gz/4f2a}
    version: 2.0.0
snapshots:
  react-dom@18.2.0(react@18.2.0):
    dependencies:
      react: 18.2.0
  tool@https://codeload.github.com/someone/tool/tar.gz/4f2a: {}
`;
    assert.deepEqual(readLines('pnpm-lock.yaml', fifth), [
      'react-dom@17.0.2 direct',
      '@babel/core@7.20.0 dev',
    ]);
    assert.deepEqual(readLines('pnpm-lock.yaml', sixth), [
      'react-dom@18.2.0 direct',
      '@types/node@20.1.0 dev',
      'tool@2.0.0 url:github.com/someone/tool/4f2a',
    ]);
    assert.deepEqual(readLines('pnpm-lock.yaml', ninth), [
      'react-dom@18.2.0 direct',
      'tool@2.0.0 url:https://codeload.github.com/someone/tool/tar.gz/4f2a',
    ]);
  });

  it('bun: text with commas at ends; its binary form is said', () => {
    const lock = `{
  "lockfileVersion": 1,
  "workspaces": { "": { "name": "server", "dependencies": { "zod": "^3.22.0", }, }, },
  "packages": {
    "zod": ["zod@3.22.4", "", {}, "sha512-x"],
    "own": ["own@workspace:packages/own"],
    "tool": ["tool@github:someone/tool#4f2a", {}, "someone-tool-4f2a"],
    "a/b": ["b@1.0.0", "", {}, "sha512-x"],
  },
}`;
    assert.deepEqual(readLines('bun.lock', lock), [
      'zod@3.22.4',
      'tool@? git:github:someone/tool#4f2a',
      'b@1.0.0',
    ]);
    const { unread } = readPackages([{ path: 'bun.lockb', text: '' }]);
    assert.deepEqual(
      unread.map(({ path }) => path),
      ['bun.lockb'],
    );
  });
});
