import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHarmlessComments } from './comments.ts';
import { type LabelledRow, detectorIds } from './rows.ts';

const row = (source: string, known: Partial<Record<(typeof detectorIds)[number], 0 | 1>>): LabelledRow => ({
  text: source,
  source,
  split: 'train',
  labels: Int8Array.from(detectorIds, (id) => known[id] ?? -1),
});
const general = detectorIds.indexOf('general_harmful');
const generalOf = (each: LabelledRow) => withHarmlessComments([each])[0]?.labels[general];

test('a comment that is not hateful, and that nothing is said against, is harmless in general', () => {
  assert.equal(generalOf(row('hatemoji_build', { hate_bias: 0 })), 0);
  assert.equal(generalOf(row('edos', { hate_bias: 0, self_harm: 0 })), 0);
});

test('what is foul, hateful, unknown or of another source stays as it is', () => {
  assert.equal(generalOf(row('hatemoji_build', { hate_bias: 0, profanity_offensive: 1 })), -1);
  assert.equal(generalOf(row('hatemoji_build', { hate_bias: 1, general_harmful: 1 })), 1);
  assert.equal(generalOf(row('edos', {})), -1);
  assert.equal(generalOf(row('davidson', { hate_bias: 0 })), -1);
});

test('rows that change are copies', () => {
  const given = row('implicit_hate', { hate_bias: 0 });
  withHarmlessComments([given]);
  assert.equal(given.labels[general], -1);
});
