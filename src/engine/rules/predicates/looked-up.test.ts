import { tryCases } from '../fixtures/try-cases.ts';

const listed = 'When it pays, require that it names what an earlier step found among "payees", else deny.';
const pay = ['pay_bill', { iban: 'DE02120300000000202051' }] as const;
tryCases('a value stands in the answer of a step that looked these up', listed, [
  ['it does', [['list_payees', {}, [{ iban: 'DE02120300000000202051' }]], pay], false],
  ['another value', [['list_payees', {}, [{ iban: 'DE99' }]], pay], true],
  ['another list', [['list_letters', {}, [{ iban: 'DE02120300000000202051' }]], pay], true],
  [
    'the tool says that it is none',
    [['check_payees', {}, { iban: 'DE02120300000000202051', approved: false }], pay],
    true,
  ],
  ['never', [pay], true],
]);
