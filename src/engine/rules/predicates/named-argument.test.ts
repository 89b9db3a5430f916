import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'there is something said for it',
  'When it refunds, require that it says something for "reason", else deny.',
  [
    ['said', [['refund', { reason: 'late' }]], false],
    ['in a longer name', [['refund', { refund_reason: 'late' }]], false],
    ['empty', [['refund', { reason: '  ' }]], true],
    ['missing', [['refund', { amount: 5 }]], true],
    ['null', [['refund', { reason: null }]], true],
  ],
);
