import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'all parts hold together, of any one is enough',
  'Deny when it pays and (it has an amount of more than 5 or it is the tool "wire").',
  [
    ['both', [['pay', { amount: 6 }]], true],
    ['the act alone', [['pay', { amount: 5 }]], false],
    ['the other alone', [['wire', {}]], true],
    ['neither', [['get', { amount: 6 }]], false],
  ],
);
tryCases(
  'an exception lifts the rule, and so does what is required',
  'When it pays, require that it has an argument "reason" that is there, else deny, unless it is the tool "pay_rent".',
  [
    ['nothing', [['pay', {}]], true],
    ['the exception', [['pay_rent', {}]], false],
    ['what is required', [['pay', { reason: 'x' }]], false],
    ['an empty one', [['pay', { reason: '' }]], true],
  ],
);
tryCases(
  'what is not so holds where the test does not',
  'Deny when it is not so that (it pays or it deletes).',
  [
    ['neither', [['send_mail', {}]], true],
    ['one', [['pay', {}]], false],
  ],
);
