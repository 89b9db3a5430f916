import { tryCases } from '../fixtures/try-cases.ts';

const daily =
  'Deny when it adds up, with those of its kind before it, to refund within a day for the same "customer" to a total of more than "500 EUR".';
const refund = (amount: unknown, customer?: string, more: object = {}) =>
  ['issue_refund', { amount, ...(customer !== undefined && { customer_id: customer }), ...more }] as const;

tryCases('without a memory of other sessions the session is added up', daily, [
  ['together beyond', [refund(300, 'a'), refund(201, 'a')], true],
  ['together at the limit', [refund(300, 'a'), refund(200, 'a')], false],
  ['alone beyond', [refund(501, 'a')], true],
  ['for another one', [refund(300, 'a'), refund(300, 'b')], false],
  ['for nobody in particular', [refund(300, 'a'), refund(300)], true],
  ['another act before it', [['pay_vendor', { amount: 300, customer_id: 'a' }], refund(300, 'a')], false],
  ['another act', [['add_note', { amount: 900, customer_id: 'a' }]], false],
  ['less than nothing makes no room', [refund(-400, 'a'), refund(200, 'a')], true],
  ['a currency of its own beyond', [refund(1, 'a', { currency: 'USD' })], true],
  ['the currency of the limit', [refund(400, 'a', { currency: 'eur' })], false],
  ['a sum in the name of the argument', [['issue_refund', { amount_usd: 1, customer_id: 'a' }]], true],
]);

const before = (sums: readonly (readonly [string, number])[], unknown = 0) => ({
  sumBefore: () => ({ sums: new Map(sums), unknown }),
});

tryCases('what was added before this call counts in its own unit', daily, [
  ['together beyond', [refund(101, 'a')], true, before([['EUR', 400]])],
  ['together at the limit', [refund(100, 'a')], false, before([['EUR', 400]])],
  [
    'plain numbers beside it',
    [refund(100, 'a')],
    true,
    before([
      ['EUR', 300],
      ['', 101],
    ]),
  ],
  ['another currency before it', [refund(1, 'a')], true, before([['USD', 1]])],
  ['nobody knows what before it', [refund(500, 'a')], false, before([], 3)],
  ['tenths', [refund(0.1, 'a')], false, before([['EUR', 499.9]])],
]);

const weekly =
  'Deny when it adds up, with those of its kind before it, to export within a week by "*size*" and "*bytes*" to a total of at least "3 GB".';
tryCases('sizes add up in any unit, and a plain number is one of the unit of the limit', weekly, [
  ['in other units', [['export_data', { size_mb: 3000 }]], true],
  ['just below', [['export_data', { bytes: 2_999_999_999 }]], false],
  ['with what was before', [['export_data', { bytes: 1 }]], true, before([['size', 2_999_999_999]])],
  ['a plain number', [['export_data', { size: 3 }]], true],
  ['two paths to one value count once', [['export_data', { size_bytes: 1_500_000_000 }]], false],
  ['no size', [['export_data', { size: 'large' }]], true],
]);

const own =
  'Deny when it adds up, with those of its kind before it, to pay within a month to a total of more than the user\'s "limit".';
tryCases('a limit may be what is known of the user', own, [
  [
    'beyond',
    [['pay_vendor', { amount: 101 }]],
    true,
    { user: { id: 'u', roles: [], attributes: { limit: 100 } } },
  ],
  [
    'within',
    [['pay_vendor', { amount: 100 }]],
    false,
    { user: { id: 'u', roles: [], attributes: { limit: 100 } } },
  ],
  ['of nobody known there is no limit', [['pay_vendor', { amount: 101 }]], false],
]);
