import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'the user speaks of it',
  'Deny when it deletes, unless it follows words of the user about "old backups".',
  [
    ['both words', ['Delete the old backup.', ['delete_backup', {}]], false],
    ['one word', ['Delete the backup.', ['delete_backup', {}]], true],
    ['a page', ['Go on.', ['read_page', {}, 'old backups'], ['delete_backup', {}]], true],
  ],
);
