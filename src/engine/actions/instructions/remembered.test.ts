import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Remembered } from './remembered.ts';

function counted(keptFrom: 1 | 2 = 1) {
  const made: string[] = [];
  const memory = new Remembered((text: string) => {
    made.push(text);
    return { text };
  }, keptFrom);
  return { made, memory };
}

test('a text is worked out once', () => {
  const { made, memory } = counted();
  const first = memory.get('a text');
  assert.equal(memory.get(['a', 'text'].join(' ')), first);
  assert.deepEqual(made, ['a text']);
  assert.equal(memory.get('').text, '');
});

test('texts that are alike where the memory looks are never taken for each other', () => {
  const { memory } = counted();
  // Of 160 characters every tenth and the last are looked at; these differ in the 82nd.
  const [a, b] = [`${'x'.repeat(81)}a${'x'.repeat(78)}`, `${'x'.repeat(81)}b${'x'.repeat(78)}`];
  for (let round = 0; round < 3; round++)
    for (const text of [a, b]) assert.equal(memory.get(text).text, text);
});

test('a long text comes once and is not kept', () => {
  const { made, memory } = counted();
  const long = 'y'.repeat(50_001);
  memory.get(long);
  memory.get(long);
  assert.equal(made.length, 2);
});

test('the oldest texts go first where there are too many', () => {
  const { made, memory } = counted();
  for (let at = 0; at <= 5000; at++) memory.get(`text ${at}`);
  memory.get('text 5000');
  assert.equal(made.length, 5001, 'the latest is still known');
  memory.get('text 0');
  assert.equal(made.length, 5002, 'the oldest is not');
});

test('where texts are kept from their second time on, the third one finds what the second one made', () => {
  const { made, memory } = counted(2);
  const [first, second] = [memory.get('a text'), memory.get('a text')];
  assert.notEqual(first, second);
  assert.equal(memory.get('a text'), second);
  assert.equal(memory.get('another text').text, 'another text');
  assert.deepEqual(made, ['a text', 'a text', 'another text']);
});
