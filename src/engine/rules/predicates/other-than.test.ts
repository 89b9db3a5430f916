import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'a value named for one thing is another',
  'Deny when it has for "environment" something else than "staging".',
  [
    ['another', [['deploy', { environment: 'production' }]], true],
    ['the one', [['deploy', { environment: 'staging' }]], false],
    ['in capitals', [['deploy', { environment: 'STAGING' }]], false],
    ['no arguments', [['deploy', {}]], false],
  ],
);
