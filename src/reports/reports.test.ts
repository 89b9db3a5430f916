import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assert as holds, property, string } from 'fast-check';
import { AppError } from '#base/errors.ts';
import { readPdf } from '#base/pdf/read-pdf.ts';
import type { Block, ReportDocument } from './document.ts';
import { renderReport } from './render-report.ts';
import { cutText, visiblePieces, visibleText } from './visible-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'reports-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const documentOf = (...blocks: Block[]): ReportDocument => ({
  title: 'Scan of a target',
  createdAt: new Date('2026-11-20T10:00:00Z'),
  classification: 'Confidential',
  facts: [{ name: 'Seed', value: '4711' }],
  blocks,
});

/** The text of each page, lines joined. */
async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const pages = await readPdf(bytes);
  return pages.map((page) => page.map(({ text }) => text).join('\n'));
}

/** The text without the characters that line breaking inserts. */
const unbroken = (text: string) => text.replaceAll(/\s+/g, '');

const hostile = [
  'see https://evil.example/',
  'turned \u202Egpj.exe',
  'hidden\u200Btags\u{E0041}\u{E0042}',
  'red \u001B[31mline\u0007',
  'nothing \u0000 \uFFF9 \uD800',
  `pile e${'\u0301'.repeat(40)}`,
].join('\n');

test('invisible characters are shown as code points, and no text is lost', () => {
  assert.equal(visibleText('a\u202Eb\u200Bc\u001B[0m'), 'a‹U+202E›b‹U+200B›c‹U+001B›[0m');
  assert.equal(
    visibleText('tag \u{E0041} lone \uD800 private \uE000'),
    'tag ‹U+E0041› lone ‹U+D800› private ‹U+E000›',
  );
  assert.equal(visibleText('one\r\ntwo\rthree'), 'one\ntwo‹U+000D›three');
  assert.equal(visibleText('⚠\uFE0F A\uFE0F'), '⚠ A‹U+FE0F›');
  assert.equal(visibleText('e\u0301\u0302'), 'e\u0301\u0302');
  holds(
    property(string({ unit: 'binary', maxLength: 200 }), (text) => {
      const shown = visiblePieces(text);
      return shown.every(({ text: piece, isEscape }) =>
        isEscape ? /^U\+[0-9A-F]{4,6}$/.test(piece) : !/[\p{Cc}\p{Cf}]/u.test(piece.replaceAll('\n', '')),
      );
    }),
  );
});

test('a shortened text states how much is missing, and no character is split', () => {
  assert.equal(cutText('abc', 3), 'abc');
  assert.equal(cutText('abcdef', 4), 'abcd… [2 of 6 characters left out]');
  assert.equal(cutText('ab🙂cd', 3), 'ab… [4 of 6 characters left out]');
});

test('a report has cover, contents, bookmarks and metadata, and equal documents give equal bytes', async () => {
  const document = documentOf(
    {
      kind: 'section',
      title: 'Summary',
      blocks: [
        { kind: 'summary', figures: [{ label: 'Risk', value: 'Medium', note: '95 %: 1–2', tone: 'warn' }] },
        { kind: 'paragraph', text: 'Ordinary words, Ελληνικά, Кириллица.' },
        { kind: 'call_out', tone: 'flag', title: 'First', text: 'Do this.' },
        { kind: 'list', items: ['one', 'two'], ordered: true },
      ],
    },
    {
      kind: 'section',
      title: 'Details',
      blocks: [
        { kind: 'section', title: 'Within', blocks: [{ kind: 'facts', facts: [{ name: 'n', value: 'v' }] }] },
      ],
    },
  );
  const [first, second] = [await renderReport(document), await renderReport(document)];
  assert.ok(Buffer.from(first).equals(Buffer.from(second)));
  const pages = await pagesOf(first);
  assert.match(pages[0] ?? '', /Scan of a target[^]*2026-11-20 10:00 UTC[^]*4711/);
  assert.match(pages[1] ?? '', /Contents[^]*Summary[^]*Details[^]*Within/);
  assert.match(pages[2] ?? '', /Medium[^]*Ordinary words, Ελληνικά, Кириллица\.[^]*Do this\./);
  assert.match(pages[2] ?? '', /Confidential[^]*3 \/ 3/);
  const raw = Buffer.from(first).toString('latin1');
  for (const part of ['/Outlines', '(D:20261120100000Z)', '(Scan of a target)'])
    assert.ok(raw.includes(part), part);
});

test('hostile text is printed as text: no links, no actions, no external images', async () => {
  const bytes = await renderReport({
    ...documentOf(
      { kind: 'section', title: `Section ${hostile}`, blocks: [{ kind: 'paragraph', text: hostile }] },
      { kind: 'code', text: hostile, caption: hostile },
      { kind: 'table', columns: [{ title: hostile }], rows: [[hostile], [{ text: hostile, tone: 'flag' }]] },
      {
        kind: 'chart',
        chart: {
          kind: 'bars',
          title: hostile,
          bars: [{ label: `</text><image href="x"/>${hostile}`, value: 1 }],
        },
      },
      {
        kind: 'finding',
        finding: { title: hostile, severity: 'critical', evidence: hostile, tags: [hostile] },
      },
    ),
    title: hostile,
  });
  const raw = Buffer.from(bytes).toString('latin1');
  for (const word of ['/URI', '/JavaScript', '/Launch', '/EmbeddedFile', '/Subtype /Image'])
    assert.ok(!raw.includes(word), word);
  const text = unbroken((await pagesOf(bytes)).join(''));
  for (const shown of [
    'https://evil.example/',
    'U+202Egpj.exe',
    'hiddenU+200BtagsU+E0041U+E0042',
    'U+001B[31m',
  ])
    assert.ok(text.includes(shown), shown);
  assert.ok(!/[\u202E\u200B\u{E0041}]/u.test(text));
});

test('scripts beyond European ones are shown in fallback fonts, remaining characters as code points', async () => {
  const text = unbroken(
    (
      await pagesOf(
        await renderReport(documentOf({ kind: 'paragraph', text: '漢字かな 한국어 ไทย 🙂 → ✓ 𝄞 \u{1F9FF}' })),
      )
    ).join(''),
  );
  for (const shown of ['漢字かな', '한국어', 'ไทย', '🙂', '→', '✓', 'U+1D11E'])
    assert.ok(text.includes(shown), shown);
});

test('a word of a megabyte is shortened with a count and stays within its column', async () => {
  const word = 'x'.repeat(1_000_000);
  const bytes = await renderReport(
    documentOf(
      {
        kind: 'table',
        columns: [{ title: 'Case', share: 3 }, { title: 'Verdict' }],
        rows: [[word, 'failed']],
      },
      { kind: 'code', text: word },
    ),
  );
  const text = (await pagesOf(bytes)).join('\n');
  assert.match(unbroken(text), /of1,000,000charactersleftout/);
  assert.match(text, /failed/);
});

test('a long table repeats its header on each page and never splits a row', async () => {
  const rows = Array.from({ length: 160 }, (_, i) => [
    `row-${i}-begins ${'word '.repeat(30)} row-${i}-ends`,
    i,
  ]);
  const pages = await pagesOf(
    await renderReport(
      documentOf({ kind: 'table', columns: [{ title: 'Headword', share: 4 }, { title: 'Number' }], rows }),
    ),
  );
  const withRows = pages.filter((page) => /row-\d+-begins/.test(page));
  assert.ok(withRows.length > 3);
  for (const page of withRows) {
    assert.match(page, /Headword/);
    const places = (edge: string) =>
      [...page.matchAll(new RegExp(`row-(\\d+)-${edge}`, 'g'))].map(([, i]) => i);
    assert.deepEqual(places('begins'), places('ends'));
  }
});

test('rendering stops when it exceeds its time or size limit, or when the caller aborts', async () => {
  const rows = Array.from({ length: 9000 }, (_, i) => [`row ${i}`, 'word '.repeat(40)]);
  const large = documentOf({ kind: 'table', columns: [{ title: 'a' }, { title: 'b' }], rows });
  const isTooLarge = (error: unknown) => error instanceof AppError && error.code === 'report_too_large';
  await assert.rejects(renderReport(large, { timeoutMs: 50 }), isTooLarge);
  await assert.rejects(renderReport(large, { limitBytes: 48 * 1024 ** 2 }), isTooLarge);
  const stop = new AbortController();
  const rendering = renderReport(large, { signal: stop.signal });
  stop.abort(new Error('nobody waits'));
  await assert.rejects(rendering, /nobody waits/);
});

const hasPoppler = spawnSync('pdftoppm', ['-v']).status === 0;

test(
  'another PDF reader can draw every page',
  { skip: !hasPoppler && 'pdftoppm of poppler-utils is not installed' },
  async () => {
    const path = join(folder, 'report.pdf');
    writeFileSync(path, await renderReport(documentOf({ kind: 'paragraph', text: 'Words 漢 🙂' })));
    const run = spawnSync('pdftoppm', ['-r', '40', '-png', path, join(folder, 'page')], { encoding: 'utf8' });
    assert.equal(run.stderr, '');
    const drawn = readdirSync(folder).filter((name) => name.endsWith('.png'));
    assert.equal(drawn.length, 2);
    for (const name of drawn) assert.ok(readFileSync(join(folder, name)).length > 500);
    assert.match(execFileSync('pdffonts', [path], { encoding: 'utf8' }), /NotoSans[^]*yes/);
  },
);
