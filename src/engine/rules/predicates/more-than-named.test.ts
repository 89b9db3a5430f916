import { tryCases } from '../fixtures/try-cases.ts';

const order = (total: unknown) =>
  ['get_order', { order: 'A1' }, { order: 'A1', order_total: total }] as const;
tryCases(
  'it is for more than an earlier answer names',
  'Deny when it is for more than what is named for "order" and "total".',
  [
    ['more', [order(100), ['refund', { order: 'A1', amount: 101 }]], true],
    ['as much', [order(100), ['refund', { order: 'A1', amount: 100 }]], false],
    ['in the call itself', [['refund', { amount: 101, original_order_total: 100 }]], true],
    ['nothing is named', [['refund', { order: 'A1', amount: 101 }]], false],
    ['no number', [order('n/a'), ['refund', { order: 'A1', amount: 101 }]], false],
  ],
);
