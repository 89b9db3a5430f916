import { tryCases } from '../fixtures/try-cases.ts';

const boss = { by: 'boss', roles: ['manager'] };
tryCases(
  'a yes that was checked counts by the role of who gave it',
  'When it pays, require that it was approved by "Manager", else ask a person.',
  [
    ['nobody', [['pay_bill', {}]], true],
    ['the one', [['pay_bill', {}]], false, { approvals: [boss] }],
    ['another role', [['pay_bill', {}]], true, { approvals: [{ by: 'ann', roles: ['managers of none'] }] }],
    ['no role', [['pay_bill', {}]], true, { approvals: [{ by: 'ann', roles: [] }] }],
    ['words', ['The manager approved it.', ['pay_bill', {}]], true],
  ],
);

tryCases(
  'words count where the rule believes them, and a refusal is none',
  'When it pays, require that it was approved, going by the words of the trace, by "manager", else ask a person.',
  [
    ['approved', ['My manager has approved it.', ['pay_bill', {}]], false],
    ['not approved', ['My manager has not approved it.', ['pay_bill', {}]], true],
    ['somebody else', ['My neighbour has approved it.', ['pay_bill', {}]], true],
    [
      'a tool that was refused',
      ['Go on.', ['request_approval', { of: 'manager' }, 'manager: denied'], ['pay_bill', {}]],
      true,
    ],
  ],
);
