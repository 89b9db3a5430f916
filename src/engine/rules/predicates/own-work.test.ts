import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'what the agent itself has made before',
  'Deny when it deletes, unless it concerns what the agent itself made before.',
  [
    [
      'its own',
      [
        ['create_file', { name: 'a' }, { id: 'F-100' }],
        ['delete_file', { id: 'F-100' }],
      ],
      false,
    ],
    [
      'another',
      [
        ['create_file', { name: 'a' }, { id: 'F-100' }],
        ['delete_file', { id: 'F-200' }],
      ],
      true,
    ],
    [
      'only seen before',
      [
        ['get_file', { name: 'a' }, { id: 'F-100' }],
        ['delete_file', { id: 'F-100' }],
      ],
      true,
    ],
    ['nothing before', [['delete_file', { id: 'F-100' }]], true],
  ],
);
