import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mapped } from './mapped.ts';
import { joinSpaced } from './undo-spacing.ts';

const mapped = (text: string): Mapped => {
  const starts = Uint32Array.from(text, (_, at) => at);
  return { text, starts, ends: starts.map((at) => at + 1) } as unknown as Mapped;
};

test('letters set apart are found behind a row of digits that is none', () => {
  assert.equal(joinSpaced(mapped('1 2 3 4 5 6 7 8 9 k i l l'))?.text, '1 2 3 4 5 6789kill');
  assert.equal(joinSpaced(mapped('1.2.3.4.5.6.7.8.9.10 k-i-l-l'))?.text, '1.2.3.4.5.6.7.8.9.10 kill');
  assert.equal(joinSpaced(mapped('1 2 3 4 5 6 7 8 9')), undefined);
});

/** How often signs of a text are looked at. */
function looksAt(text: string): number {
  let looks = 0;
  const counted = {
    length: text.length,
    charCodeAt(at: number) {
      looks++;
      return text.charCodeAt(at);
    },
  };
  joinSpaced({ ...mapped(text), text: counted as unknown as string });
  return looks;
}

test('rows of digits are read in linear time', () => {
  for (const unit of ['1-', '1. ', '1 ', '@/', '$(', '1-1 ', '1. 1-', '1 a 2 3 ']) {
    const [short, long] = [looksAt(unit.repeat(500)), looksAt(unit.repeat(4000))];
    assert.ok(long < 10 * short, `${unit}: ${short} and ${long} looks`);
  }
});
