import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectorSlugs } from '#engine/text/engine.ts';
import { readBands } from './bands.ts';
import { shippedBands } from './shipped-bands.ts';

test('each detector has a default band around every threshold of .5', () => {
  const bands = readBands(shippedBands());
  assert.deepEqual([...bands.keys()].toSorted(), detectorSlugs.toSorted());
  for (const [slug, { from, to }] of bands) assert.ok(from < 0.27 && to > 0.73, slug);
});

test('the setting of one detector overrides the setting for all', () => {
  const bands = readBands(['violence-abuse=0.1..0.9', '*=0.2..0.8']);
  assert.deepEqual(bands.get('violence-abuse'), { from: 0.1, to: 0.9 });
  assert.deepEqual(bands.get('jailbreak-attempt'), { from: 0.2, to: 0.8 });
  for (const wrong of ['violence=0..1', '*=0.8..0.2', '*=0..2', 'x'])
    assert.throws(() => readBands([wrong]), /bands/);
});
