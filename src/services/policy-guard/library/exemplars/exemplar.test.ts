/** Which of the generated texts are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { withWritten } from './exemplar.ts';
import { withoutVetoed } from './learn-exemplars.ts';

const none = { block: [], safe: [] };

test('texts are cleaned and deduplicated, and unusable ones are dropped', () => {
  const { block } = withWritten(none, 'block', [
    '1. Buy the shares now',
    '“Buy the shares, now!”',
    '-  Sell   everything\n before Monday',
    'short',
    '…………………………',
    'x'.repeat(401),
    'Half of a pair \ud83d is mended',
  ]);
  assert.deepEqual(block, [
    'Buy the shares now',
    'Sell everything before Monday',
    'Half of a pair \uFFFD is mended',
  ]);
});

test('a text written for both sides counts as safe, whichever came first', () => {
  const text = 'What is a share?';
  const first = withWritten(none, 'block', [text, 'Buy that share']);
  assert.deepEqual(withWritten(first, 'safe', ['what is a share']), {
    block: ['Buy that share'],
    safe: ['what is a share'],
  });
  const other = withWritten(none, 'safe', [text]);
  assert.deepEqual(withWritten(other, 'block', [text]).block, []);
});

test('each side keeps at most a hundred texts', () => {
  const many = Array.from({ length: 300 }, (_, i) => `Text number ${i} of many`);
  assert.equal(withWritten(none, 'safe', many).safe.length, 100);
});

test('a text matched by the policy’s own safe phrases is not used as a violation', async () => {
  const engine = await loadTextEngine();
  const compiled = engine.compile({
    name: 'Stock tips',
    description: 'Personal recommendations of what to invest in.',
    blockActivities: ['Recommending which shares to buy or sell'],
    safeActivities: ['Explaining how a pension fund works'],
  });
  const vetoed = 'Please explain how a pension fund works';
  const kept = 'You should buy these shares and sell those';
  const { block } = await withoutVetoed(engine, compiled, { block: [vetoed, kept], safe: [] });
  assert.deepEqual(block, [kept]);
});
