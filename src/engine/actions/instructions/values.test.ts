import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mayBeGrouped } from './values.ts';

test('numbers in groups are told by their beginning as they are without blanks', () => {
  const grouped = /^(?:[a-z]{2}\d{2}[a-z0-9]{8,30}|\+?[\d().-]{8,22})$/;
  const signs = fc.constantFrom(...' 0123456789lt+().-x'.split(''));
  let met = 0;
  fc.assert(
    fc.property(
      fc.array(signs, { maxLength: 30 }).map((parts) => parts.join('')),
      (text) => {
        const is = grouped.test(text.replaceAll(' ', ''));
        if (is) met += 1;
        assert.equal(mayBeGrouped(text), is, text);
      },
    ),
    { numRuns: 5000, seed: 1 },
  );
  assert.ok(met > 10, `${met} met`);
  assert.ok(mayBeGrouped(' l t 1 2 1000 0111 0100 1000'));
});
