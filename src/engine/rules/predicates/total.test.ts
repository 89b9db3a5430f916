import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { checkForm } from '../check-form.ts';
import { breaks } from '../fixtures/try-sentence.ts';

test('arguments, items of lists and what is known of the thing are added up', () => {
  const both = 'Deny when it adds up "net" and "freight" to a total of more than 1000.';
  assert.equal(breaks(both, [['order', { net: 900, freight: 101 }]]), true);
  assert.equal(breaks(both, [['order', { net: 900, freight: 100 }]]), false);
  assert.equal(breaks(both, [['order', { net: 1001 }]]), true, 'what is known is already too much');
  const lines = 'Deny when it adds up "lines.price" to a total of more than 10.';
  assert.equal(breaks(lines, [['order', { lines: [{ price: 6 }, { price: 5 }] }]]), true);
  assert.equal(breaks(lines, [['order', { lines: [{ price: 6 }, { price: 4 }] }]]), false);
  const load = 'Deny when it adds up "kg" and "loaded" to a total of more than the argument "payload".';
  const truck = ['get_truck', { truck: 'T-44' }, { payload: 1000, loaded: 800 }] as const;
  assert.equal(breaks(load, [truck, ['load', { truck: 'T-44', kg: 201 }]]), true);
  assert.equal(breaks(load, [truck, ['load', { truck: 'T-44', kg: 200 }]]), false);
  assert.equal(breaks(load, [truck, ['load', { truck: 'T-45', kg: 5000 }]]), false);
});

test('a part that nobody knows makes no total, but for being more than something', () => {
  const even = 'Deny when it adds up "a" and "b" to a total of at most 5.';
  assert.equal(breaks(even, [['x', { a: 2, b: 3 }]]), true);
  assert.equal(breaks(even, [['x', { a: 2 }]]), false);
});

test('a value is counted once, and tenths add up to what people expect', () => {
  const sum = 'Deny when it adds up "amount" and "*amount" to a total of more than 5.';
  assert.equal(breaks(sum, [['pay', { amount: 4 }]]), false);
  const tenths = 'Deny when it adds up "a" and "b" to a total that is not 0.3.';
  assert.equal(breaks(tenths, [['x', { a: 0.1, b: 0.2 }]]), false);
});

test('units are kept apart, and several of them count as beyond a limit', () => {
  const heavy = 'Deny when it adds up "*weight*" to a total of more than "2 tonnes".';
  assert.equal(breaks(heavy, [['x', { weight_kg: 1500, box_weight_kg: 600 }]]), true);
  assert.equal(breaks(heavy, [['x', { weight_kg: 1500, box_weight_kg: 400 }]]), false);
  const money = 'Deny when it adds up "a" and "b" to a total of more than "100 EUR".';
  assert.equal(breaks(money, [['x', { a: '50 EUR', b: '40 EUR' }]]), false);
  assert.equal(breaks(money, [['x', { a: '50 EUR', b: '40 USD' }]]), true);
});

test('earlier calls of the tool are added, for the same one where the rule says so', () => {
  const daily =
    'Deny when it adds up "mg" to a total of more than 4000, with earlier calls of the tool for the same "patient".';
  const both =
    'Deny when it adds up "mg" to a total of more than 4000, with earlier calls of the tool for the same "patient" and "drug".';
  const drug = (name: string, mg: number) => ['order', { patient: 'a', drug: name, mg }] as const;
  assert.equal(breaks(both, [drug('x', 3000), drug('y', 1001)]), false);
  assert.equal(breaks(both, [drug('x', 3000), drug('X', 1001)]), true);
  const given = (patient: string | undefined, mg: number) => ['order', { patient, mg }] as const;
  assert.equal(breaks(daily, [given('a', 3000), given('a', 1001)]), true);
  assert.equal(breaks(daily, [given('a', 3000), given('b', 1001)]), false);
  assert.equal(
    breaks(daily, [given('a', 3000), given(undefined, 1001)]),
    true,
    'leaving it out is no way round',
  );
  assert.equal(breaks(daily, [['note', { patient: 'a', mg: 3000 }], given('a', 1001)]), false);
});

test('what makes no total is refused', () => {
  for (const [sentence, why] of [
    ['Deny when it adds up "a" to a total of more than "many".', /'value' must be a number/],
    ['Deny when it adds up "a" to a total that contains "5".', /'rule.when.operator' must be one of/],
    ['Deny when it adds up "a" to a total of more than 5 for the same "b".', /'same' must stand/],
  ] as const) {
    const checked = checkForm(readCanonical(sentence));
    assert.match('problem' in checked ? checked.problem : 'taken', why, sentence);
  }
});
