import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf, predicatesOf } from '../rule-form.ts';
import { draftRule } from './draft.ts';

const currenciesOf = (sentence: string) => {
  const { rule } = draftRule(sentence);
  return (rule === undefined ? [] : partsOf(rule).flatMap(predicatesOf)).flatMap((one) =>
    one.is === 'amount' ? [one.currency] : [],
  );
};

test('a limit keeps the currency that its sentence names', () => {
  assert.deepEqual(currenciesOf('Never pay more than 1000 EUR.'), ['EUR']);
  assert.deepEqual(currenciesOf('Never pay more than €1000.'), ['EUR']);
  assert.deepEqual(currenciesOf('Refunds above £200 need approval.'), ['GBP']);
});

test('a limit without a currency, or with several, has none', () => {
  const found = currenciesOf('Never pay more than 1000 EUR or 1100 USD.');
  assert.deepEqual(found, [undefined, undefined]);
  assert.deepEqual(currenciesOf('Never spend an amount of more than 1000.').filter(Boolean), []);
});
