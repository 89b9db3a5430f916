import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'a thing is named by the call, or by what was answered about what it names',
  'Deny when it deletes and it concerns "backups".',
  [
    ['in the name', [['delete_backup', { id: 7 }]], true],
    ['in a value', [['delete_object', { kind: 'backup' }]], true],
    [
      'by the answer about it',
      [
        ['get_object', { id: 'O-77' }, { id: 'O-77', kind: 'backup' }],
        ['delete_object', { id: 'O-77' }],
      ],
      true,
    ],
    [
      'by the answer about another',
      [
        ['get_object', { id: 'O-78' }, { id: 'O-78', kind: 'backup' }],
        ['delete_object', { id: 'O-77' }],
      ],
      false,
    ],
    ['another thing', [['delete_user', { id: 7 }]], false],
  ],
);
tryCases('a whole thing is met by most of its words', 'Deny when it concerns the whole of "late fees".', [
  ['both', [['waive_fee', { kind: 'late' }]], true],
  ['one', [['waive_fee', { kind: 'monthly' }]], false],
]);
