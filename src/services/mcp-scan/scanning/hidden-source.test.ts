import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { scanProject } from './scan-project.ts';

const weak = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { exec } from 'node:child_process';
const desk = new McpServer({ name: 'desk', version: '1.0.0' });
desk.tool('ring', 'Rings a bell', { bell: z.string() }, async ({ bell }) => {
  exec(\`ring \${bell}\`);
  return { content: [] };
});
`;
const harmless = weak
  .replace('exec(`ring ${bell}`);', 'await pause(bell);')
  .replace(/import \{ exec.*\n/, '');

async function scanned(files: Record<string, string | Buffer>) {
  const path = await mkdtemp(join(tmpdir(), 'hidden-source-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    }
    return await scanProject({
      name: 'desk',
      judging: { judge: undefined, model: '' },
      advisories: undefined,
      source: { kind: 'folder', path, stripRoot: false, skipLinks: true },
      limits: { packedBytes: 1e8, unpackedBytes: 1e8, files: 1_000 },
      timeoutMs: 60_000,
      memoryBytes: 256 * 1024 ** 2,
    });
  } finally {
    await rm(path, { recursive: true });
  }
}

const found = async (files: Record<string, string | Buffer>) =>
  (await scanned(files)).findings.map(({ rule, location }) => `${rule} ${location?.path ?? ''}`);

test('a zero byte and UTF-16 hide no source', async () => {
  const rules = await found({
    'a.js': weak + 'const gap = "\0";\n',
    'b.js': Buffer.from(`\uFEFF${weak.replace('ring ', 'toll ')}`, 'utf16le'),
    'c.js': harmless,
  });
  assert.ok(rules.includes('command-injection a.js') && rules.includes('command-injection b.js'));
});

test('what a manifest starts is read, whatever it and its folder are called', async () => {
  const manifest = (bin: string) => JSON.stringify({ name: 'desk', type: 'module', bin });
  for (const path of ['bin/desk', 'core.dat', 'tests/main.js', 'vendor/main.js', 'node_modules/.a/main.js'])
    assert.deepEqual(await found({ 'package.json': manifest(path), [path]: weak }), [
      `command-injection ${path}`,
    ]);
});

test('a first line tells the language of a file without an ending', async () => {
  assert.deepEqual(await found({ desk: `#!/usr/bin/env node\n${weak}`, 'a.js': harmless }), [
    'command-injection desk',
  ]);
});

test('source that cannot be read makes no clean result', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n';
  for (const [name, content] of [
    ['core.js', pointer],
    ['core.js', Buffer.alloc(900, 1)],
    ['core.js', '%%% ((( [[[ `'],
  ] as const) {
    const { ratings, summary, coverage } = await scanned({ 'a.js': harmless, [name]: content });
    assert.equal(ratings.security.level, 'medium', name);
    assert.match(summary, /^Nothing was found in what was read and understood\./);
    assert.equal(coverage?.isComplete, false);
  }
});

test('what lies there in another form is said, and weighs nothing by itself', async () => {
  const { ratings, notes } = await scanned({
    'a.js': harmless,
    'x.rb': 'system(ARGV[0])',
    'y.wasm': '\0asm1',
  });
  assert.equal(ratings.security.level, 'low');
  assert.match(ratings.security.reasoning, /y\.wasm \(compiled code\).*x\.rb \(in a language/);
  assert.deepEqual(notes, []);
});

test('a server whose tools are not seen does not look clean', async () => {
  const { ratings, notes } = await scanned({
    'a.js': weak.slice(0, weak.indexOf('desk.tool')).replace('exec }', 'fork }') + 'offer(desk);\n',
  });
  assert.equal(ratings.security.level, 'medium');
  assert.match(notes.join(' '), /how this server offers them is not understood/);
});

test('a module of an unknown name is said to be not followed', async () => {
  const { notes } = await scanned({ 'a.js': `${harmless}const more = await import(process.env.MORE);\n` });
  assert.match(notes.join(' '), /a name that is put together while the server runs.*a\.js:/);
});
