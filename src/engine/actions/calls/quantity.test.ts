import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantitiesIn, readQuantity } from './quantity.ts';

const written: readonly (readonly [text: string, value: number, currency?: string])[] = [
  ['1200', 1200],
  ['1,200', 1200],
  ['1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['1.200.000', 1_200_000],
  ['12,34,567', 1_234_567],
  ['1 200', 1200],
  ['1\u202F200,5', 1200.5],
  ["1'200", 1200],
  ['1_000_000', 1_000_000],
  ['+1200', 1200],
  ['-3,5', -3.5],
  ['0,500', 0.5],
  ['1.5k', 1500],
  ['2 million', 2_000_000],
  ['1e4', 10_000],
  ['１２００', 1200],
  ['$1,200', 1200, 'USD'],
  ['US$ 40', 40, 'USD'],
  ['CA$40', 40, 'CAD'],
  ['1.200,50 EUR', 1200.5, 'EUR'],
  ['950 GBP', 950, 'GBP'],
  ['EUR 12,000', 12_000, 'EUR'],
  ['€9.999,00', 9999, 'EUR'],
  ['2 BTC', 2, 'BTC'],
  ['300 dollars', 300, 'USD'],
];
for (const [text, value, currency] of written)
  test(`${text} is ${value} ${currency ?? ''}`, () => {
    const read = readQuantity(text);
    assert.deepEqual([read?.value, read?.currency], [value, currency]);
  });

test('a single dot before three digits may separate either', () => {
  assert.deepEqual(readQuantity('1.200'), { value: 1.2, larger: 1200 });
  assert.equal(readQuantity('0.200')?.larger, undefined);
  assert.equal(readQuantity('1.20')?.larger, undefined);
});

test('what is no number is none', () => {
  for (const text of [
    '',
    '2026-11-03',
    '1.2.3',
    '10.0.0.1',
    '1,2,3',
    'A200',
    '12:30',
    '1200 apples',
    '5512-A',
  ])
    assert.equal(readQuantity(text), undefined, text);
});

test('amounts within a text are told by their currency', () => {
  const text = 'Order 9513926: refund of USD 1,250.00 now and 12 000 € in May; room 214, 3 nights.';
  assert.deepEqual(quantitiesIn(text), [
    { value: 1250, currency: 'USD' },
    { value: 12_000, currency: 'EUR' },
  ]);
});

test('a text of nothing but digits and marks is read in a moment', () => {
  for (const unit of ['1,', '1 ', '1.', "1'", '9', '$1', 'EUR ']) {
    const text = unit.repeat(60_000 / unit.length);
    assert.equal(readQuantity(text), undefined);
    quantitiesIn(text, text.length);
  }
});
