import { tryCases } from '../fixtures/try-cases.ts';

tryCases('an effect is what it does to the world', 'Deny when it has the effect to move money.', [
  ['a payment', [['pay_bill', {}]], true],
  ['a transfer', [['transfer_funds', {}]], true],
  ['a look at payments', [['list_payments', {}]], false],
  ['a call is no money', [['transfer_call', { call: 7 }]], false],
  ['a refund', [['issue_refund', {}]], true],
  ['asking for money', [['create_payment_request', { from: 'Ann' }]], false],
]);
