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

tryCases('a limit holds however the amount is written', 'Deny when it has an amount of more than 500.', [
  ...[
    '1,200',
    '$1,200',
    '12,000',
    '1 200',
    '1.200,50',
    '1.200',
    '1.5k',
    '1e4',
    "1'200",
    '950 GBP',
    '2,000.00 USD',
  ].map((amount): [string, [[string, Record<string, unknown>]], boolean] => [
    amount,
    [['refund', { amount }]],
    true,
  ]),
  ...['499', '4,99', '499,50', '$499', '0.500', '499.99 EUR'].map(
    (amount): [string, [[string, Record<string, unknown>]], boolean] => [
      amount,
      [['refund', { amount }]],
      false,
    ],
  ),
  ['in a text that is JSON', [['post', { payload: '{"order": "o1", "amount": 9000}' }]], true],
  ['in words with its currency', [['note', { text: 'Refund 1,250 euros to the guest.' }]], true],
  ['in cents', [['refund', { amount_cents: 40_000 }]], false],
  ['too many cents', [['refund', { amount_cents: 60_000 }]], true],
]);

tryCases('numbers of records are no amounts', 'Deny when it has an amount of more than 500.', [
  ['a card', [['refund', { card: '4111', order: 'o1' }]], false],
  ['an order', [['refund', { order: '9513926' }]], false],
  ['an order as a number', [['refund', { order: 9_513_926 }]], false],
  ['a customer', [['refund', { customer: '4711' }]], false],
  ['a number that is named for nothing else', [['pay', { x: 9000 }]], true],
]);
