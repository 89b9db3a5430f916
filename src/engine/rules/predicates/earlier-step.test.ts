import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'a step before this one has done it',
  'When it deletes, require that it comes after a step to verify about "identity", else deny.',
  [
    [
      'before',
      [
        ['verify_identity', { id: 7 }, 'ok'],
        ['delete_account', { id: 7 }],
      ],
      false,
    ],
    ['never', [['delete_account', { id: 7 }]], true],
    [
      'about something else',
      [
        ['verify_weather', {}, 'ok'],
        ['delete_account', { id: 7 }],
      ],
      true,
    ],
    ['said by the user', ['I have verified the identity.', ['delete_account', { id: 7 }]], true],
  ],
);
