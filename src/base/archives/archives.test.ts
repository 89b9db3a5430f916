import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack, type Header } from 'tar-stream';
import { ArchiveError, type ArchiveFault, type ArchiveLimits } from './archive-limits.ts';
import { extractArchive } from './extract-archive.ts';
import { makeZip } from './fixtures/make-zip.ts';
import { readArchive, type ReadArchiveOptions } from './read-archive.ts';
import { writeZip } from './write-zip.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulwark-archives-'));
});
after(async () => rm(folder, { recursive: true }));

async function makeTar(entries: readonly (Partial<Header> & { data?: Buffer })[]): Promise<Buffer> {
  const tar = pack();
  for (const { data = Buffer.from('content'), ...header } of entries)
    tar.entry({ name: 'file', ...header } as Header, header.type === undefined ? data : Buffer.alloc(0));
  tar.finalize();
  return buffer(tar);
}

async function contents(source: Parameters<typeof readArchive>[0], options: ReadArchiveOptions = {}) {
  const found: Record<string, string> = {};
  const summary = await readArchive(
    source,
    async ({ path, kind, content }) => {
      found[path] = kind === 'folder' ? '(folder)' : await text(content);
    },
    options,
  );
  return { found, summary };
}

const refused = (fault: ArchiveFault, names?: string) => (error: unknown) => {
  assert.ok(error instanceof ArchiveError, String((error as Error).stack));
  assert.equal(error.fault, fault, error.message);
  if (names !== undefined) assert.ok(error.message.includes(names), error.message);
  return true;
};

test('a zip written as a stream can be read from a file, a buffer and a stream', async () => {
  const zip = writeZip();
  const written = buffer(zip.output);
  await zip.add('summary.json', '{}');
  await zip.add('cases/ä.txt', Readable.from(['one ', 'two'], { objectMode: false }));
  await assert.rejects(zip.add('../out', 'x'), refused('unsafe_path', '../out'));
  zip.end();
  const bytes = await written;
  const file = join(folder, 'some.zip');
  await writeFile(file, bytes);
  for (const source of [bytes, file, Readable.from([bytes])]) {
    const { found, summary } = await contents(source);
    assert.deepEqual(found, { 'summary.json': '{}', 'cases/ä.txt': 'one two' });
    assert.deepEqual(summary, { format: 'zip', entries: 2, unpackedBytes: 9 });
  }
});

test('tar and tar.gz are read and extracted; entry types that are not supported are skipped', async () => {
  const tar = await makeTar([
    { name: './a', type: 'directory' },
    { name: './a/b.txt', data: Buffer.from('text') },
    { name: `long/${'x'.repeat(200)}`, data: Buffer.alloc(100_000, 1) },
  ]);
  for (const [format, bytes] of [
    ['tar', tar],
    ['tar.gz', gzipSync(tar)],
  ] as const) {
    const place = join(folder, format);
    assert.deepEqual(await extractArchive(bytes, place), { format, entries: 3, unpackedBytes: 100_004 });
    assert.equal(await readFile(join(place, 'a/b.txt'), 'utf8'), 'text');
    assert.equal((await stat(join(place, `long/${'x'.repeat(200)}`))).mode & 0o777, 0o644);
    const seen: string[] = [];
    await readArchive(bytes, ({ path }) => void seen.push(path));
    assert.equal(seen.length, 3);
  }
});

test('zip and tar entries whose names leave the target folder are refused, and the error names them', async () => {
  for (const name of [
    '../up',
    'a/../../up',
    '/etc/passwd',
    'C:evil',
    'c:/evil',
    'a\\b',
    'a\u0001b',
    `${'d/'.repeat(41)}f`,
    'x'.repeat(256),
  ]) {
    const shownPart = name.slice(0, 1);
    await assert.rejects(
      contents(makeZip([{ name: 'ok' }, { name }])),
      refused('unsafe_path', shownPart),
      name,
    );
    await assert.rejects(contents(await makeTar([{ name }])), refused('unsafe_path', shownPart), name);
  }
  await assert.rejects(contents(makeZip([{ name: 'a\0b' }])), refused('unsafe_path'));
});

test('links, devices and other special entries are refused in zip and tar', async () => {
  for (const mode of [0o120777, 0o060644, 0o020644, 0o010644, 0o140644])
    await assert.rejects(contents(makeZip([{ name: 'odd', mode }])), refused('link', 'odd'));
  for (const type of ['symlink', 'link', 'character-device', 'block-device', 'fifo'] as const)
    await assert.rejects(
      contents(await makeTar([{ name: 'odd', type, linkname: '/etc/passwd' }])),
      refused('link', 'odd'),
    );
});

test('two entries with the same target path are refused, also when they differ only in case or Unicode form', async () => {
  for (const [first, second] of [
    ['a', 'a'],
    ['a', 'A'],
    ['\u00e9', 'e\u0301'],
    ['a', 'a/b'],
    ['a/b', 'a'],
    ['x/one', 'X/two'],
  ] as const) {
    await assert.rejects(contents(makeZip([{ name: first }, { name: second }])), refused('duplicate'));
    await assert.rejects(contents(await makeTar([{ name: first }, { name: second }])), refused('duplicate'));
  }
});

test('archive bombs are refused: by compression ratio, size, entry count, overlapping data and false size headers', async () => {
  const zeros = Buffer.alloc(8 * 1024 ** 2);
  await assert.rejects(contents(makeZip([{ name: 'zeros', data: zeros }])), refused('too_large', 'zeros'));
  await assert.rejects(contents(gzipSync(await makeTar([{ data: zeros }]))), refused('too_large'));
  const limited = (limits: Partial<ArchiveLimits>) => ({ limits });
  const plain = [
    { name: 'a', data: Buffer.alloc(2000, 'x') },
    { name: 'b', data: Buffer.alloc(2000, 'y') },
  ];
  for (const bytes of [makeZip(plain), await makeTar(plain), gzipSync(await makeTar(plain))]) {
    await assert.rejects(contents(bytes, limited({ entryBytes: 1999 })), refused('too_large', '"a"'));
    await assert.rejects(contents(bytes, limited({ unpackedBytes: 3999 })), refused('too_large', '"b"'));
    await assert.rejects(contents(bytes, limited({ entries: 1 })), refused('too_many'));
    await assert.rejects(contents(bytes, limited({ packedBytes: 100 })), refused('too_large'));
    await assert.rejects(
      contents(Readable.from([bytes]), limited({ packedBytes: 100 })),
      refused('too_large'),
    );
  }
  const shares = makeZip([{ name: 'a' }, { name: 'b', sharesWith: 0 }]);
  await assert.rejects(contents(shares), refused('overlap', '"b"'));
  await assert.rejects(contents(makeZip([{ name: 'a', claimedSize: 3 }])), refused('broken'));
  await assert.rejects(contents(makeZip([{ name: 'a', claimedChecksum: 1 }])), refused('broken', '"a"'));
  await assert.rejects(contents(makeZip([{ name: 'a', method: 12 }])), refused('broken', '"a"'));
  await assert.rejects(contents(makeZip([{ name: 'a', flags: 1 }])), refused('encrypted', '"a"'));
  // Zip64 with a claimed size of 2^62 bytes.
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(2n ** 62n, 4);
  await assert.rejects(
    contents(makeZip([{ name: 'a', claimedSize: 0xffffffff, extra }])),
    (error: unknown) => error instanceof ArchiveError && ['broken', 'too_large'].includes(error.fault),
  );
  await assert.rejects(contents(makeZip([{ name: 'a' }], { claimedCount: 3 })), refused('broken'));
});

test('a tar with oversized extended headers, or with two sizes for one entry, is refused as too large or broken', async () => {
  const facts = 'x'.repeat(70_000);
  const pax = { name: 'a', pax: { comment: facts } } as Partial<Header>;
  await assert.rejects(contents(await makeTar([pax])), refused('too_large'));
  const twice = { name: 'a', pax: { size: '1' } } as Partial<Header>;
  await assert.rejects(contents(await makeTar([twice])), refused('broken'));
});

test('nested archives are opened up to the allowed depth and share one size limit', async () => {
  const inner = makeZip([{ name: 'deep.txt', data: Buffer.from('found') }]);
  const outer = makeZip([
    { name: 'in.zip', data: inner },
    { name: 'a', data: Buffer.from('b') },
  ]);
  assert.deepEqual((await contents(outer, { nested: 1 })).found, { 'in.zip!/deep.txt': 'found', a: 'b' });
  assert.deepEqual(Object.keys((await contents(outer)).found), ['in.zip', 'a']);
  await assert.rejects(contents(outer, { nested: 0 }), refused('too_deep', 'in.zip'));
  await assert.rejects(contents(outer, { nested: 1, limits: { entries: 2 } }), refused('too_many'));
});

test('when the visitor throws, the caller aborts or the archive is broken, no files are left behind', async () => {
  const bytes = makeZip([{ name: 'a' }, { name: 'b', claimedChecksum: 1 }]);
  await assert.rejects(
    readArchive(bytes, () => Promise.reject(new Error('mine'))),
    /^Error: mine$/,
  );
  const aborted = AbortSignal.abort(new Error('gone'));
  await assert.rejects(contents(bytes, { signal: aborted }), /gone/);
  await assert.rejects(extractArchive(bytes, join(folder, 'partial')), refused('broken', '"b"'));
  await assert.rejects(
    extractArchive(Buffer.from('text'), join(folder, 'partial')),
    refused('unknown_format'),
  );
  assert.ok(!(await readdir(folder)).includes('partial'));
});

test('corrupted bytes end in entries or in an ArchiveError, never in another error', async () => {
  const tar = await makeTar([{ name: 'a' }, { name: 'b/c' }]);
  const seeds = [makeZip([{ name: 'a' }, { name: 'b/c' }]), tar, gzipSync(tar)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { maxLength: 8 }),
      fc.nat(3000),
      async (seed, changes, cut) => {
        const bytes = Buffer.from(seed);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const source = cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
        await contents(source, { nested: 1 }).catch((error: unknown) => {
          assert.ok(error instanceof ArchiveError, String((error as Error).stack));
        });
      },
    ),
    { numRuns: 300 },
  );
});
