import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'the agent has told the user before',
  'When it deletes, require that it was told or shown to the user before, else deny.',
  [
    ['never', ['Delete it.', ['delete_file', { id: 7 }]], true],
    [
      'shown',
      ['Delete it.', ['show_user', { text: 'I will delete file 7.' }], ['delete_file', { id: 7 }]],
      false,
    ],
  ],
);
