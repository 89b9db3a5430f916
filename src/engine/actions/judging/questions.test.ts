import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from './request.ts';

test('who asks to be told or shown something asks for nothing else', () => {
  for (const said of [
    'Where is load 30 and when will it be here?',
    'look at the error in the checkout logs',
    'any stuck shipments?',
    'Is there a reply from the archive',
    'which hose is best according to the reviews',
    'Wo ist die Mail vom Verwalter? Fass kurz zusammen',
  ])
    assert.ok(readRequest([said]).onlyAsks, said);
});

test('a wish, a second clause and a later turn are more', () => {
  for (const said of [
    ['show me the rules and mail them to Ann'],
    ['is table 5 free? reserve it'],
    ['check in for my flight'],
    ['What does it cost?', 'then buy it'],
    [''],
    ['Stelle die Maschine ab'],
  ])
    assert.ok(!readRequest(said).onlyAsks, said.join(' / '));
});

test('an act that is only named is not asked for', () => {
  assert.ok(!readRequest(['any news on the refund?']).senses.has('refund'));
  assert.ok(readRequest(['can you do a refund?']).senses.has('refund'));
  assert.ok(!readRequest(['is there a reply from Ann?']).senses.has('send'));
  assert.ok(readRequest(['write her a reply']).senses.has('send'));
});
