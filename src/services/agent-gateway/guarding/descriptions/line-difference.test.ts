import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDifference } from './line-difference.ts';

const shown = (before: string, after: string) =>
  lineDifference(before, after).map(
    ({ change, line }) => `${{ same: ' ', removed: '-', added: '+' }[change]}${line}`,
  );

test('lines that stay are the same, others are removed and added', () => {
  assert.deepEqual(shown('a\nb\nc', 'a\nx\nc'), [' a', '-b', '+x', ' c']);
  assert.deepEqual(shown('a', 'a\nb'), [' a', '+b']);
  assert.deepEqual(shown('a\n\nb', 'b'), ['-a', '-', ' b']);
  assert.deepEqual(shown('same', 'same'), [' same']);
});

test('both texts can be read from the difference, whatever they are; long ones are whole blocks', () => {
  for (let seed = 1; seed < 60; seed++) {
    const text = (salt: number) =>
      Array.from({ length: (seed * salt) % 9 }, (_, i) => 'abc'[(seed * salt + i * i) % 3]).join('\n');
    const [before, after] = [text(5), text(7)];
    const lines = lineDifference(before, after);
    const only = (other: string) => lines.filter(({ change }) => change !== other).map(({ line }) => line);
    assert.equal(only('added').join('\n'), before);
    assert.equal(only('removed').join('\n'), after);
  }
  const long = 'x\n'.repeat(1000);
  assert.equal(lineDifference(long, long).length, 2002);
});
