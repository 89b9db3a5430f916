import { tryCases } from '../fixtures/try-cases.ts';

tryCases('whatever is more than a look changes something', 'Deny when it does more than look something up.', [
  ['a change', [['update_user', {}]], true],
  ['a message', [['send_email', {}]], true],
  ['a look', [['get_user', {}]], false],
  ['a selecting statement', [['run_sql', { query: 'select 1' }]], false],
  ['a changing statement', [['run_sql', { query: 'update t set a = 1' }]], true],
  ['nobody knows what it does', [['frobnicate', {}]], true],
]);
