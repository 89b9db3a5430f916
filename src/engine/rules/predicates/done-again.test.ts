import { tryCases } from '../fixtures/try-cases.ts';

const twice = 'Deny when it does the same to the same thing again.';
tryCases('the same act on the same thing is the same again', twice, [
  [
    'again',
    [
      ['refund_order', { order: 'A1' }],
      ['refund_order', { order: 'A1' }],
    ],
    true,
  ],
  [
    'by another tool',
    [
      ['refund_order', { order: 'A1' }],
      ['issue_refund', { order: 'A1' }],
    ],
    true,
  ],
  [
    'another thing',
    [
      ['refund_order', { order: 'A1' }],
      ['refund_order', { order: 'B2' }],
    ],
    false,
  ],
  [
    'another act',
    [
      ['ship_order', { order: 'A1' }],
      ['refund_order', { order: 'A1' }],
    ],
    false,
  ],
  ['the first', [['refund_order', { order: 'A1' }]], false],
  [
    'a look before it',
    [
      ['get_order', { order: 'A1' }],
      ['refund_order', { order: 'A1' }],
    ],
    false,
  ],
]);
tryCases(
  'a tool may say that it is so already',
  'Deny when it does the same to the same thing again, or to what is already "refunded".',
  [
    [
      'it says so',
      [
        ['get_order', { order: 'A1' }, { status: 'refunded' }],
        ['refund_order', { order: 'A1' }],
      ],
      true,
    ],
    [
      'it denies it',
      [
        ['get_order', { order: 'A1' }, { refunded: false }],
        ['refund_order', { order: 'A1' }],
      ],
      false,
    ],
  ],
);
