import { tryCases } from '../fixtures/try-cases.ts';

tryCases('what is named so is nought, empty or false', 'Deny when it comes where there is none of "stock".', [
  [
    'nought',
    [
      ['get_item', { item: 'I1' }, { item: 'I1', stock: 0 }],
      ['order_item', { item: 'I1' }],
    ],
    true,
  ],
  [
    'some',
    [
      ['get_item', { item: 'I1' }, { item: 'I1', stock: 4 }],
      ['order_item', { item: 'I1' }],
    ],
    false,
  ],
  ['false in the call', [['order_item', { item: 'I1', in_stock: false }]], true],
  ['nobody knows', [['order_item', { item: 'I1' }]], false],
]);
