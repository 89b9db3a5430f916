import { tryCases } from '../fixtures/try-cases.ts';

const thrice =
  'Deny when it comes after more than 2 of its kind, itself counted, to refund in the session for the same "customer".';
const refund = (customer?: string) =>
  ['issue_refund', { ...(customer !== undefined && { customer }) }] as const;
tryCases('calls of the kind for the same one count', thrice, [
  ['the third', [refund('a'), refund('a'), refund('a')], true],
  ['the second', [refund('a'), refund('a')], false],
  ['of another', [refund('a'), refund('b'), refund('a')], false],
  ['for nobody in particular', [refund('a'), refund('a'), refund()], true],
  ['looks', [['get_refund', { customer: 'a' }], ['get_refund', { customer: 'a' }], refund('a')], false],
]);
const monthly =
  'Deny when it comes after more than 2 of its kind, itself counted, to refund within a month for the same "customer".';
tryCases('what is known of other sessions goes before the session', monthly, [
  ['too many', [refund('a')], true, { countBefore: () => ({ count: 2 }) }],
  ['few', [refund('a'), refund('a'), refund('a')], false, { countBefore: () => ({ count: 0 }) }],
  [
    'nobody knows: the session',
    [refund('a'), refund('a'), refund('a')],
    true,
    { countBefore: () => undefined },
  ],
]);
