import { tryCases } from '../fixtures/try-cases.ts';

const inEuros = 'Deny when it has an amount of more than 100 in "EUR".';
tryCases(
  'the currency is told by an argument, by a name or by a sign; another one is beyond unless it is clearly below',
  inEuros,
  [
    ['its own', [['pay', { amount: 5, currency: 'EUR' }]], false],
    ['in small letters', [['pay', { amount: 5, currency: ' eur ' }]], false],
    ['another', [['pay', { amount: 90, currency: 'USD' }]], true],
    ['another, clearly below', [['pay', { amount: 5, currency: 'USD' }]], false],
    ['one whose worth nobody can tell', [['pay', { amount: 0.01, currency: 'BTC' }]], true],
    ['by the name', [['pay', { amount_gbp: 90 }]], true],
    ['by a sign', [['pay', { amount: '$90' }]], true],
    ['none', [['pay', { amount: 5 }]], false],
    ['no currency that is known', [['pay', { amount: 5, currency: 'XXQ' }]], false],
    ['letters in another argument', [['pay', { amount: 5, note: 'usd' }]], false],
  ],
);
