import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'a file is known by the end of its name',
  'Deny when it touches a file that ends in ".pem" or ".key".',
  [
    ['its end', [['read_file', { path: '/srv/a.pem' }]], true],
    ['in capitals', [['read_file', { path: '/SRV/A.PEM' }]], true],
    ['a copy of it', [['read_file', { path: 'a.key.bak' }]], true],
    ['in a command', [['bash', { command: 'cat /srv/a.key' }]], true],
    ['another', [['read_file', { path: 'pem.txt' }]], false],
    ['a word', [['read_file', { path: 'keys' }]], false],
    ['nothing', [['read_file', {}]], false],
  ],
);
