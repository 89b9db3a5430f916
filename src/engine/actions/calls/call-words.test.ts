import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mayNameOne } from './call-words.ts';
import { entitiesOf } from './entities.ts';

const part = fc.constantFrom(
  ...'/etc/passwd|a@b.example|https://wiki.example.com/a|x|DE89370400440532013000|+43 664 1234567|(a.py)|ﷺ@b.example|ﬁle.txt|\n|\t|,|"'.split(
    '|',
  ),
);
const text = fc
  .array(fc.oneof(part, fc.constant(' '), fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

test('no text that is passed over as running text is the name of a thing', () => {
  let named = 0;
  fc.assert(
    fc.property(text, (given) => {
      if (!entitiesOf(given).some(({ value }) => value.length * 1.4 >= given.length)) return;
      named += 1;
      assert.ok(mayNameOne(given), given);
    }),
    { numRuns: 3000, seed: 1 },
  );
  assert.ok(named > 100, `${named} named`);
});

test('running text is told by its blanks', () => {
  assert.equal(mayNameOne('Please find the invoice attached and pay it.'), false);
  assert.equal(mayNameOne(' /srv/reports/2026-11.pdf '), true);
});
