import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSensitive, holdsKind } from './redact.ts';

/** Each is looked for around a part of it: at whatever place of a long text it stands, it must be found. */
const pieces = [
  ['lena.fischer@mail.example.com', 'email'],
  ['lena (at) example (dot) com', 'email'],
  ['lena at example dot com', 'email'],
  ['lena arroba example punto com', 'email'],
  ['Lindenstraße 12, 10115 Berlin', 'address'],
  ['Name: Lena Fischer', 'name'],
  ['Regards, Lena Fischer', 'name'],
  ['passport no C01X00T47', 'national_id'],
  ['RSSMRA85T10A562S', 'national_id'],
] as const;
const filler = 'the garden was calm and the people of the town were glad about it; ';

test('a piece is found wherever it stands in a long text, and where several stand close together', () => {
  for (const [piece, kind] of pieces) {
    const near = `${filler}${piece}.\n`;
    const alone = findSensitive(near)
      .filter((found) => found.kind === kind)
      .map(({ start, end }) => near.slice(start, end));
    assert.ok(alone.length > 0, piece);
    for (const [before, between] of [
      [0, 1],
      [40, 2],
      [200, 60],
    ] as const) {
      const text = `${filler.repeat(before)}${near}${filler.repeat(between)}\n${near}${filler.repeat(50)}`;
      const found = findSensitive(text)
        .filter((each) => each.kind === kind)
        .map(({ start, end }) => text.slice(start, end));
      assert.deepEqual(found, [...alone, ...alone], `${piece} behind ${before}`);
    }
    assert.equal(holdsKind(filler.repeat(100), kind), false);
  }
});

test('plain text and the same text with another letter in it have the same findings', () => {
  const text = pieces.map(([piece]) => `${piece}.\n${filler}`).join('\n');
  assert.deepEqual(findSensitive(`${text}\u00b7`), findSensitive(text));
});
