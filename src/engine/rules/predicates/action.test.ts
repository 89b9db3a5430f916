import { tryCases } from '../fixtures/try-cases.ts';

tryCases('an act counts by what the tool does, not by a word among its arguments', 'Deny when it deletes.', [
  ['by its name', [['delete_user', { id: 7 }]], true],
  ['by another word for it', [['purgeUser', { id: 7 }]], true],
  ['by its command', [['bash', { command: 'rm -r build' }]], true],
  ['by its statement', [['run_sql', { query: 'delete from users where id = 7' }]], true],
  ['a text that speaks of it', [['add_note', { text: 'delete user 7' }]], false],
  ['a look at what was deleted', [['list_deleted_users', {}]], false],
  ['no tool at all', ['Delete it.', ['', {}]], false],
  ['a name that is no name', [['__proto__', { id: 7 }]], false],
]);

tryCases(
  "a verb of the rule's own counts where no kind of act stands for it",
  'Deny when it does what is called "escort".',
  [
    ['in the name', [['escort_visitor', { visitor: 'A' }]], true],
    ['in another form', [['escorting_start', { visitor: 'A' }]], true],
    ['a look-up', [['get_escort', { visitor: 'A' }]], false],
    ['another verb', [['greet_visitor', { visitor: 'A' }]], false],
  ],
);
