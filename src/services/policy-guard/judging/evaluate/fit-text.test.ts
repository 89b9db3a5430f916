import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '#base/errors.ts';
import { fitText } from './fit-text.ts';

const settings = (maxTextLength: number | null, overflow: 'truncate' | 'throw' = 'truncate') => ({
  maxTextLength,
  overflow,
  cacheEnabled: null,
  logRequests: null,
  mode: 'enforce',
  logText: 'full',
  redact: null,
});

/** Any UTF-16, including unpaired surrogates. */
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom('a', '\u0000', '\ud83d', '\ude00', '😀', 'é')) });

test('a truncated text consists of its first code points, none split', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, max) => {
      assert.equal(fitText(text, settings(max)), Array.from(text).slice(0, max).join(''));
    }),
  );
});

test('throw refuses exactly the texts that truncate would shorten', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, max) => {
      const fit = () => fitText(text, settings(max, 'throw'));
      if (Array.from(text).length <= max) assert.equal(fit(), text);
      else assert.throws(fit, (error) => error instanceof AppError && error.status === 422);
    }),
  );
});

test('without a limit texts stay whole', () => {
  const text = 'x'.repeat(1_000_000);
  assert.equal(fitText(text, settings(null)), text);
  assert.equal(fitText(text, settings(1_000_000, 'throw')), text);
});
