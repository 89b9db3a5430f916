import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import { ContextReader } from './evaluation-context.ts';
import { otherRecord } from './other-record.ts';

let text: TextEngine;
before(async () => {
  text = await loadTextEngine();
});

function taken(user: string, id: string) {
  const context = new ContextReader(text).read(
    [
      { role: 'user', content: user },
      {
        role: 'agent',
        toolName: 'search_hotels',
        toolParams: { place: 'Zell' },
        toolOutput: {
          hotels: [
            { id: 'H-120', name: 'Pension Alma' },
            { id: 'H-455', name: 'Seeblick Grand' },
          ],
        },
      },
      { role: 'agent', toolName: 'book_hotel', toolParams: { id } },
    ],
    {},
  );
  return context && otherRecord(context);
}

test('a call about another record than the one that the user named is told', () => {
  assert.deepEqual(taken('Book the Pension Alma', 'H-455'), ['pension alma', 'seeblick grand']);
  assert.equal(taken('Book the Pension Alma', 'H-120'), undefined);
});

test('a name that the user only measures by, and records that both were named, are none', () => {
  assert.equal(taken('Book something near the Pension Alma', 'H-455'), undefined);
  assert.equal(taken('Book Pension Alma or Seeblick Grand', 'H-455'), undefined);
  assert.equal(taken('Book a hotel', 'H-455'), undefined);
});
