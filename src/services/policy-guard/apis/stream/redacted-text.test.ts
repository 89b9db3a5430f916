import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redact } from '#engine/redact/redact.ts';
import { RedactedText, redactionTail } from './redacted-text.ts';

const taken = (text: string) => redact(text, {}, () => '0');

const words = fc.constantFrom(
  'the order is on its way, ',
  'anna.smith@example.org',
  ' +49 30 1234567 ',
  '4111 1111 1111 1111',
  'DE89 3704 0044 0532 0130 00',
  ' password: hunter2-and-more ',
  `sk-ant-${'x9Y8'.repeat(30)}`,
  '\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----\n',
  '天気予報を教えて、',
  '😀',
  ' and so on. ',
);

test('text redacted in pieces of any size equals the whole text redacted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(words, { maxLength: 40 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      async (parts, cuts) => {
        const text = parts.join('');
        const bounds = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].toSorted(
          (a, b) => a - b,
        );
        const passages = new RedactedText(taken);
        let out = '';
        for (const [i, to] of bounds.entries()) {
          passages.add(text.slice(bounds[i - 1] ?? 0, to));
          const before = passages.given;
          out += await passages.next(to, to === text.length);
          assert.ok(passages.given >= before && passages.given <= to);
          if (to < text.length) assert.ok(passages.given <= Math.max(0, to - redactionTail));
        }
        assert.equal(passages.given, text.length);
        assert.equal(out, (await taken(text)).text);
      },
    ),
    { numRuns: 300 },
  );
});

test('an endless word is released instead of being buffered for ever', async () => {
  const passages = new RedactedText(taken);
  let given = 0;
  for (let i = 0; i < 400; i++) {
    passages.add('x'.repeat(500));
    await passages.next((i + 1) * 500, false);
    given = passages.given;
  }
  assert.ok(given > 400 * 500 - 30_000, String(given));
});
