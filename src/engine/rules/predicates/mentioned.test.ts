import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'all of the words are met in the call, in answers or with the user',
  'Deny when it comes where the trace speaks of "legal hold".',
  [
    ['the user', ['There is a legal hold on it.', ['delete_file', { id: 7 }]], true],
    [
      'an answer',
      [
        ['get_file', { id: 7 }, { legal_hold: true }],
        ['delete_file', { id: 7 }],
      ],
      true,
    ],
    ['the call', [['delete_file', { id: 7, note: 'legal hold' }]], true],
    [
      'denied',
      [
        ['get_file', { id: 7 }, { legal_hold: false }],
        ['delete_file', { id: 7 }],
      ],
      false,
    ],
    ['one of two words', ['Is that legal?', ['delete_file', { id: 7 }]], false],
    ['nothing', [['delete_file', { id: 7 }]], false],
  ],
);
