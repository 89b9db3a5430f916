import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piecesOf } from './pieces.ts';

test('every place of a text is in a piece, and a short order on a border is whole in one', () => {
  const text = Array.from({ length: 5000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
  const pieces = [...piecesOf(text)];
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [2000, 2000, 1800],
  );
  for (let from = 0; from + 400 <= text.length; from += 50)
    assert.ok(pieces.some((piece) => piece.includes(text.slice(from, from + 400))));
});

test('a text that fits is one piece', () => {
  assert.deepEqual([...piecesOf('')], ['']);
  assert.equal([...piecesOf('x'.repeat(2000))].length, 1);
});
