import { tryCases } from '../fixtures/try-cases.ts';

const price = (most: string) => `Deny when it has an argument "price" of more than ${most}.`;
tryCases('another value counts as the rule shifts it', price('the argument "list" times 1.1 plus 5'), [
  ['more', [['x', { price: 115.01, list: 100 }]], true],
  ['as much', [['x', { price: 115, list: 100 }]], false],
  [
    'of the thing',
    [
      ['get', { item: 'I1' }, { item: 'I1', list: 100 }],
      ['x', { item: 'I1', price: 116 }],
    ],
    true,
  ],
  ['not known', [['x', { price: 900 }]], false],
  ['no number', [['x', { price: 900, list: 'n/a' }]], false],
]);
tryCases(
  'a day counts from another',
  'Deny when it has an argument "to" that is after the argument "from" plus 14 days.',
  [
    ['later', [['x', { from: '2026-02-20', to: '2026-03-07' }]], true],
    ['on the day', [['x', { from: '2026-02-20', to: '2026-03-06' }]], false],
    ['over a leap day', [['x', { from: '2028-02-20', to: '2028-03-06' }]], true],
    ['no date', [['x', { from: 'soon', to: '2026-03-07' }]], false],
  ],
);
tryCases(
  'days count from the one of the call',
  'Deny when it has an argument "day" that is before -7 days from now.',
  [
    ['before', [['x', { day: '2026-03-15' }]], true, { now: new Date(2026, 2, 23, 23, 59) }],
    ['on the day', [['x', { day: '2026-03-16' }]], false, { now: new Date(2026, 2, 23, 0, 1) }],
  ],
);
