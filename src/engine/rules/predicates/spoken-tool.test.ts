import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'a name that a rule gives is a tool or a word among the values',
  'Deny when it is or names "id_rsa".',
  [
    ['the tool', [['id_rsa', {}]], true],
    ['in a path', [['read_file', { path: '~/.ssh/id_rsa' }]], true],
    ['a longer name', [['read_file', { path: '~/.ssh/id_rsa_test' }]], false],
    ['nothing', [['read_file', {}]], false],
  ],
);
tryCases('another tool is any but these', 'Deny when it is another tool than "get_ticket".', [
  ['another', [['delete_ticket', {}]], true],
  ['in capitals', [['GET_TICKET', {}]], false],
]);
