import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'the money of a call is read from the argument that is named for it',
  'Deny when it has an amount of more than 500.',
  [
    ['beyond', [['pay', { amount: 500.01 }]], true],
    ['at the limit', [['pay', { amount: 500 }]], false],
    ['as a text', [['pay', { total: '501' }]], true],
    ['with a sign', [['pay', { price: '€ 501' }]], true],
    ['less than nothing counts by its size', [['pay', { amount: -501 }]], true],
    ['another number beside it', [['pay', { amount: 5, order_number: 90_210 }]], false],
    ['nothing is known', [['pay', { to: 'A' }]], false],
    ['no number', [['pay', { amount: 'NaN' }]], false],
    ['endless', [['pay', { amount: Infinity }]], false],
    [
      'known of the thing',
      [
        ['get_order', { order: 'A1' }, { order: 'A1', total: 900 }],
        ['pay', { order: 'A1' }],
      ],
      true,
    ],
    [
      'known of another thing',
      [
        ['get_order', { order: 'B1' }, { order: 'B1', total: 900 }],
        ['pay', { order: 'A1' }],
      ],
      false,
    ],
  ],
);

tryCases('below a limit nothing is met that is not known', 'Deny when it has an amount of less than 10.', [
  ['less', [['pay', { amount: 9 }]], true],
  ['at the limit', [['pay', { amount: 10 }]], false],
  ['nothing is known', [['pay', { to: 'A' }]], false],
]);
