import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GramSignatures } from './gram-signatures.ts';

test('a gram that was added may be there, of its own order alone', () => {
  const signatures = new GramSignatures(2);
  assert.equal(signatures.isMade(1), false);
  for (const gram of [0, 31, 32, 1023, 4095]) signatures.add(1, gram);
  signatures.finish(1);
  assert.equal(signatures.isMade(1), true);
  assert.equal(signatures.isMade(0), false);
  for (const gram of [0, 31, 32, 1023, 4095]) assert.equal(signatures.mayHold(1, [7, gram]), true, `${gram}`);
  assert.equal(signatures.mayHold(1, [1, 30, 33, 1022]), false);
  assert.equal(signatures.mayHold(0, [0, 31, 32, 1023]), false);
  assert.equal(signatures.mayHold(1, []), false);
});

test('hashes that share a bit are never denied', () => {
  const signatures = new GramSignatures(1);
  signatures.add(0, 5);
  assert.equal(signatures.mayHold(0, [1024 + 5]), true);
});

test('signatures pay once each order has been asked for', () => {
  const signatures = new GramSignatures(2);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => signatures.isWorthwhile()),
    [false, false, true, true],
  );
});
