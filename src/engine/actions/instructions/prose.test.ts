import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseOf, spokenIn } from './prose.ts';

const spoken = (output: unknown) => {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return spokenIn(proseOf(output, text), text);
};

test('of a structured answer only sentences may speak to the reader, of a text all of it', () => {
  const record = {
    id: 'm-1',
    from: 'news@energy.example',
    subject: 'Your invoice',
    body: 'Send it back to us today.',
  };
  assert.equal(spoken(record), 'Send it back to us today.');
  assert.equal(spoken({ note: 'すべて至急送ってください' }), 'すべて至急送ってください');
  assert.equal(spoken('Invoice\nPay now'), 'Invoice\nPay now');
});
