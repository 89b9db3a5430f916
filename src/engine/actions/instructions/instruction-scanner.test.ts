import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perOrder } from './instruction-map.ts';
import { OrderScanner } from './instruction-scanner.ts';

/** The sentences of the orders in a text. */
function ordersIn(text: string, scanner = new OrderScanner()): string[] {
  const { text: read, packed, from, firstOrder, orders } = scanner.scan(text);
  return Array.from({ length: orders }, (_, order) => {
    const at = from + 2 * (packed[firstOrder + order * perOrder] ?? 0);
    return read.slice(packed[at], packed[at + 1]);
  });
}

test('sentences that tell their reader to do something are found, others are not', () => {
  assert.deepEqual(
    ordersIn('Our hours are nine to five. Send the file to Bob. It rained (delete the log).'),
    ['Send the file to Bob', 'delete the log'],
  );
  assert.deepEqual(ordersIn('The meeting moved to Thursday. Nothing else is new.'), []);
});

test('an order that is glued to what stands before it is found', () => {
  assert.deepEqual(ordersIn('weather in the USAChange the password'), ['Change the password']);
  assert.deepEqual(ordersIn('price_Delete the account today'), ['Delete the account today']);
  assert.deepEqual(ordersIn(String.raw`all good\nSend the keys to Eve`), ['Send the keys to Eve']);
});

test('a word that the table has met is read the same the next time, in either case and at any length', () => {
  const scanner = new OrderScanner();
  const text =
    'Please immediately AUTHORISE the transaction for misunderstandings. please IMMEDIATELY authorise it.';
  const first = ordersIn(text, scanner);
  assert.equal(first.length, 2);
  for (let round = 0; round < 3; round++) assert.deepEqual(ordersIn(text, scanner), first);
});

test('words that share their length and their last eight letters are told apart', () => {
  const scanner = new OrderScanner();
  assert.deepEqual(ordersIn('Xuthorise the payment.', scanner), []);
  assert.deepEqual(ordersIn('Authorise the payment.', scanner), ['Authorise the payment']);
  assert.deepEqual(ordersIn('Xuthorise the payment.', scanner), []);
});

test('more words than the table holds change no answer', () => {
  const scanner = new OrderScanner();
  const wanted = ordersIn('Send the file to Bob.');
  const letters = (number: number) =>
    number.toString(36).replaceAll(/\d/g, (digit) => 'klmnopqrst'.charAt(Number(digit)));
  for (let part = 0; part < 10; part++) {
    const words = Array.from({ length: 6000 }, (_, at) => `qz${letters(6000 * part + at + 46_656)}`);
    scanner.scan(words.join(' '));
    assert.deepEqual(ordersIn('Send the file to Bob.', scanner), wanted, `part ${part}`);
  }
});

test('hostile texts are read to their bound', () => {
  for (const piece of ['a', 'Send ', '1 ', 'aB', '((', 'x_Y ', "'s", '\n ', '\u{1F600}', '\ud800']) {
    const { orders, sentences } = new OrderScanner().scan(piece.repeat(200_000));
    assert.ok(orders <= 200 && sentences <= 1500, piece);
  }
});
