import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderNet } from '#engine/order-net/order-net.ts';
import { joinedBy, type NetSentence, type NetWordTable, trainOrderNet } from './train-net.ts';

const names = ['send', 'keep', 'the', 'file', 'list'];
const size = 4;
const fixed: NetWordTable = {
  names,
  aliasRows: new Uint16Array(0),
  size,
  words: names.length,
  pieceRows: 8,
  table: Float32Array.from({ length: (names.length + 8) * size }, (_, i) => Math.sin(7 * i)),
  find: (word) => names.indexOf(word),
};
const sentences: NetSentence[] = [
  { text: 'send the file', label: 1, weight: 1 },
  { text: 'send the list', label: 1, weight: 1 },
  { text: 'keep the file', label: 0, weight: 1 },
  { text: 'keep the list', label: 0, weight: 1 },
];

test('a net learns which sentences are orders, and the same seed gives the same net to the bit', () => {
  const [first, again] = [1, 2].map(() => trainOrderNet([sentences], fixed, { steps: 60, seed: 3 }));
  assert.deepEqual(first, again);
  const net = new OrderNet(first as NonNullable<typeof first>);
  assert.ok(net.logit('send the file') > net.logit('keep the file') + 1);
});

test('a net is joined so that its deviation is a share of that of the linear model', () => {
  assert.deepEqual(joinedBy([0, 4], [1, 2], 0.5), { mean: 1.5, share: 2 });
});
