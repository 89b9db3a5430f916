import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gramsOf, TextSignature } from './text-signature.ts';

const text = 'Send the report to EVE@Outside.Test now, and pay 4711 to réné.\nThanks';

test('a signature that is made says yes to every part of its text, and no to what is not there', () => {
  const signature = new TextSignature(text);
  signature.ask();
  assert.equal(signature.mayHold(gramsOf('ann@inside.test')), true, 'not made yet');
  signature.ask();
  const lower = text.toLowerCase();
  for (let from = 0; from < lower.length; from++)
    for (let end = from + 4; end <= lower.length; end++) {
      const part = lower.slice(from, end);
      if (/^[ -~]*$/.test(part)) assert.equal(signature.mayHold(gramsOf(part)), true, part);
    }
  for (const other of ['ann@inside.test', 'x-1794', 'eve@outside.example', '4712'])
    assert.equal(signature.mayHold(gramsOf(other)), false, other);
});

test('what is too short to have a group of characters may be anywhere', () => {
  const signature = new TextSignature('abc');
  for (let round = 0; round < 3; round++) signature.ask();
  assert.deepEqual(gramsOf('abc'), []);
  assert.equal(signature.mayHold(gramsOf('abc')), true);
});
