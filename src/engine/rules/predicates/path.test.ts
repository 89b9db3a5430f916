import { tryCases } from '../fixtures/try-cases.ts';

tryCases('a folder holds what lies below it', 'Deny when it touches a path outside of "/srv/app".', [
  ['outside', [['write_file', { path: '/etc/passwd' }]], true],
  ['below', [['write_file', { path: '/srv/app/a.txt' }]], false],
  ['the folder itself', [['write_file', { path: '/srv/app' }]], false],
  ['a name that begins like it', [['write_file', { path: '/srv/app2/a.txt' }]], true],
  ['a way up', [['write_file', { path: '/srv/app/../other/a' }]], true],
  ['with the other stroke', [['write_file', { path: 'C:\\windows\\a' }]], true],
  ['in a command', [['bash', { command: 'cat /etc/passwd' }]], true],
  ['no path', [['write_file', { text: 'x' }]], false],
]);
