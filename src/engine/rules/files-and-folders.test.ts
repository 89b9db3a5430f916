import { tryCases } from './fixtures/try-cases.ts';

tryCases(
  'a rule about folders is about folders, not about files',
  'Deny when it deletes and it concerns the whole of "directories".',
  [
    ['a directory', [['delete_directory', { path: '/srv/app/data' }]], true],
    ['a folder by its id', [['delete_folder', { folder_id: 'f1' }]], true],
    ['by a command', [['run_shell', { command: 'rm -rf /srv/app/data' }]], true],
    ['a path that may be either', [['delete', { path: '/srv/app/data' }]], true],
    ['a file with all below it', [['delete_file', { path: '/srv/app/data', recursive: true }]], true],
    ['a file', [['delete_file', { path: '/srv/app/a.txt' }]], false],
    ['a path of a file', [['delete', { path: '/srv/app/a.txt' }]], false],
    ['a document', [['delete_document', { id: 'd1' }]], false],
  ],
);

tryCases(
  'what is done to a folder is done to the files in it',
  'Deny when it deletes and it concerns the whole of "files".',
  [
    ['a file', [['delete_file', { path: '/srv/app/a.txt' }]], true],
    ['a directory', [['delete_directory', { path: '/srv/app/data' }]], true],
    ['a folder by its id', [['delete_folder', { folder_id: 'f1' }]], true],
    ['a name without slashes', [['delete', { path: 'notes' }]], true],
  ],
);

tryCases(
  'listing a folder reads no file of it',
  'Deny when it reads or looks something up and it concerns the whole of "files".',
  [
    ['the folder', [['list_directory', { path: '/srv/app' }]], false],
    ['the files', [['list_files', { path: '/srv/app' }]], true],
    ['a file', [['read_file', { path: '/srv/app/a.txt' }]], true],
  ],
);

tryCases(
  'a rule that means both holds for both',
  'Deny when it deletes and it concerns the whole of "files" or the whole of "folders".',
  [
    ['a file', [['delete_file', { path: '/srv/app/a.txt' }]], true],
    ['a folder', [['delete_folder', { folder_id: 'f1' }]], true],
  ],
);

tryCases(
  'what is written to a path is written to a folder',
  'Deny when it writes and it concerns the whole of "folder", be it by an id alone.',
  [['a file', [['write_file', { path: '/srv/app/a.txt', content: 'x' }]], true]],
);
