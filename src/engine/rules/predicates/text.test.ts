import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'characters stand in an argument as they are',
  'Deny when it has in its arguments the text "--force" or "http://".',
  [
    ['in a command', [['git', { args: 'push --force' }]], true],
    ['in capitals', [['git', { args: 'push --FORCE' }]], true],
    ['as an argument that is set', [['push', { force: true }]], true],
    ['as one that is not', [['push', { force: false }]], false],
    ['another', [['git', { args: 'push -f' }]], false],
    ['a scheme', [['open', { url: 'http://a.test' }]], true],
    ['another scheme', [['open', { url: 'https://a.test' }]], false],
  ],
);
