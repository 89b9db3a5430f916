import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encryptedPdf,
  hostilePdfs,
  makePdf,
  scannedPdf,
  setDocument,
} from '../../../test/fixtures/pdf/make-pdf.ts';
import { textOf } from './pdf-page.ts';
import { PdfError, readPdf } from './read-pdf.ts';

const fault = (expected: PdfError['fault']) => (error: unknown) => {
  assert.ok(error instanceof PdfError, String(error));
  assert.equal(error.fault, expected, error.message);
  return true;
};

test('paragraphs, headings and pages are recognised by layout; page headers and footers are left out', async () => {
  const words = 'Agents must check the order of the customer before they send anything at all to them. ';
  const document = `# Orders\n\n${words.repeat(20)}\n\nEnd of it.\n\n## Returns\n\n- one\n- two`;
  const { text, pageOfLine } = textOf(await readPdf(setDocument(document, 8)));
  const lines = text.split('\n');
  assert.equal(lines.length, pageOfLine.length);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('# ')),
    ['# Orders', '# Returns'],
  );
  assert.doesNotMatch(text, /Internal|Page \d/);
  assert.equal(text.split(/\n{2,}/).filter((block) => block.startsWith('Agents must')).length, 1);
  assert.equal(pageOfLine.at(-1), 4);
  assert.equal(pageOfLine[lines.indexOf('# Orders')], 1);
});

test('a PDF of five hundred pages is read', async () => {
  const lines = Array.from({ length: 500 * 40 }, (_, i) => `Rule ${i}: agents must not do ${i} things.`);
  const pages = await readPdf(makePdf(lines));
  assert.equal(pages.length, 500);
  assert.equal(pages.at(-1)?.at(-1)?.text, lines.at(-1));
  await assert.rejects(readPdf(makePdf(lines), { maxPages: 499 }), fault('too_large'));
  await assert.rejects(readPdf(makePdf(lines), { maxCharacters: 1000 }), fault('too_large'));
  await assert.rejects(readPdf(makePdf(lines), { timeoutMs: 1 }), fault('too_slow'));
});

test('an unreadable file is refused with a reason', async () => {
  await assert.rejects(readPdf(encryptedPdf()), fault('encrypted'));
  await assert.rejects(readPdf(scannedPdf()), fault('without_text'));
  await assert.rejects(readPdf(Buffer.from('no PDF at all')), fault('broken'));
  const whole = makePdf(['Agents must not stop in the middle.']);
  await assert.rejects(readPdf(whole.subarray(0, 300)), fault('broken'));
  const gone = AbortSignal.abort(new Error('The caller has gone.'));
  await assert.rejects(readPdf(whole, { signal: gone }), /The caller has gone/);
});

test('files built to exhaust time or memory are aborted, and the files after them are read', async (t) => {
  for (const [name, make] of Object.entries(hostilePdfs)) {
    const before = process.memoryUsage().rss;
    const begun = performance.now();
    // Some of them are only unusual: the test is that reading ends.
    const outcome = await readPdf(make(), { timeoutMs: 10_000 }).then(
      () => 'read',
      (error: unknown) => (error instanceof PdfError ? error.fault : String(error)),
    );
    const grownMb = (process.memoryUsage().rss - before) / 1024 ** 2;
    t.diagnostic(
      `${name}: ${outcome}, ${Math.round(performance.now() - begun)} ms, ${Math.round(grownMb)} MB`,
    );
    assert.match(outcome, /^(?:read|broken|too_large|too_slow|without_text)$/, name);
  }
  assert.equal((await readPdf(makePdf(['Still here.']))).length, 1);
});
