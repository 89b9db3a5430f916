import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyShapes, keyShapesFor } from './secret-shapes.ts';

test('no text that one of the shapes matches is passed over by the look that comes before them', () => {
  for (const each of keyShapes) {
    const { type, shape } = each;
    // The generator knows no look-behind, no word boundaries and no names of groups: what it makes is wider.
    const plain = shape.source.replaceAll(/\(\?<!\[[^\]]*\]\)|\\b/g, '').replaceAll(/\?<value>/g, '?:');
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(`^(?:${plain})$`)), (text) => {
        assert.ok(keyShapesFor(`so ${text}.`).includes(each), `${type}: ${text}`);
      }),
      { numRuns: 200 },
    );
  }
});

test('ordinary sentences need no look at every shape', () => {
  for (const text of ['Sales rose by four per cent in the north.', 'user_id 4711', 'Meet at 10:30, room 4.2'])
    assert.deepEqual(keyShapesFor(text), [], text);
});

test('a link in a sentence needs a look at the shapes of addresses alone', () => {
  const shapes = keyShapesFor('See https://wiki.example/a for details.');
  assert.deepEqual(
    shapes.map(({ type }) => type),
    ['slack_webhook', 'connection_password'],
  );
});
