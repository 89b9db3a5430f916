import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isHarmless } from './augment.ts';
import { readTwins } from './twins.ts';

const folder = join(import.meta.dirname, '../../data/training/twins');

for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl')))
  test(`${file}: each text to find has a detector, no harmless one has, and none is there twice`, () => {
    const { harmful, harmless, rough } = readTwins(join(folder, file), file, () => 'eval');
    assert.ok(harmful.length >= 300 && harmful.length === harmless.length);
    for (const { text, labels } of harmful) assert.ok(labels.includes(1), text);
    assert.ok(harmless.every(isHarmless));
    const texts = [...harmful, ...harmless, ...rough].map(({ text }) => text);
    assert.equal(new Set(texts).size, texts.length);
  });
