import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseInThread } from './analyse-in-thread.ts';
import { SharedFile, SharedFiles } from './shared-file.ts';

const weak = "server.tool('t', { x: z.string() }, async ({ x }) => eval(x));";

describe('an analysis in a thread', () => {
  it('finds what one in this thread finds, and tells how far it is', async () => {
    const seen: string[] = [];
    const { observations, coverage } = await analyseInThread([{ path: 'a.ts', text: weak }], {
      onProgress: ({ stage, path }) => seen.push(`${stage} ${path}`),
    });
    assert.deepEqual(
      observations.map(({ rule }) => rule),
      ['code-execution'],
    );
    assert.equal(coverage.isComplete, true);
    assert.deepEqual(seen, ['reading a.ts', 'following ']);
  });

  it('shares the bytes of files with it, whatever letters they have', async () => {
    const text = `const name = 'Müller – 東京 🦊';\n${weak}`;
    const bytes = Buffer.from(`\uFEFF${text}`);
    const files = [SharedFile.of('a.ts', bytes), { path: 'b.ts', text: weak }];
    assert.equal(files[0]?.text, text);
    const { observations, coverage } = await analyseInThread(files);
    assert.deepEqual(
      observations.map(({ location }) => [location?.path, location?.startLine]),
      [
        ['a.ts', 2],
        ['b.ts', 1],
      ],
    );
    assert.equal(coverage.analysedBytes, Buffer.byteLength(text) + Buffer.byteLength(weak));
  });

  it('reads files of a large project, which are packed, as they are', async () => {
    const files = new SharedFiles();
    files.add('data.json', Buffer.alloc(9_000_000, ' '));
    files.add('server.ts', Buffer.from(`${weak}\n// ${'é'.repeat(2_000)}`));
    const [large, server] = files.all;
    assert.ok(large?.isPacked === true && large.bytes.length < 100_000);
    assert.ok(server?.isPacked === true && server.text.endsWith('éé'));
    const { observations } = await analyseInThread(files.all);
    assert.deepEqual(
      observations.map(({ location }) => location?.path),
      ['server.ts'],
    );
  });

  it('survives source that was made to break it', async () => {
    const { observations, coverage } = await analyseInThread([
      { path: 'a.ts', text: weak },
      { path: 'brackets.js', text: `x = ${'['.repeat(10_000)}${']'.repeat(10_000)};` },
      { path: 'line.js', text: `const t = [${'1,'.repeat(500_000)}];` },
      { path: 'calls.py', text: `x = ${'f('.repeat(5_000)}${')'.repeat(5_000)}` },
    ]);
    assert.ok(
      observations.some(({ rule, location }) => rule === 'code-execution' && location?.path === 'a.ts'),
    );
    assert.ok(coverage.skipped.every(({ bytes }) => bytes > 0));
    assert.ok(
      coverage.skipped.some(({ path, reason }) => path === 'brackets.js' && reason === 'too-deeply-nested'),
    );
  });

  it('leaves out what takes too much memory, says so, and reads the rest', async () => {
    const files = [
      { path: 'a.ts', text: weak },
      { path: 'large.js', text: `t = [${'a.b(1),'.repeat(280_000)}];` },
    ];
    const { observations, coverage } = await analyseInThread(files, { memoryBytes: 1 });
    assert.deepEqual(
      coverage.skipped.map(({ path, reason }) => [path, reason]),
      [['large.js', 'memory']],
    );
    assert.equal(coverage.isComplete, false);
    assert.equal(observations.length, 1);
  });
});
