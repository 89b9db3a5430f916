import { tryCases } from '../fixtures/try-cases.ts';

tryCases(
  'things at once are the longest list, a page size or what is named so',
  'Deny when it concerns more than 3 things at once.',
  [
    ['a list', [['x', { ids: [1, 2, 3, 4] }]], true],
    ['a list at the limit', [['x', { ids: [1, 2, 3] }]], false],
    ['a page', [['x', { limit: 4 }]], true],
    ['addresses in a text', [['x', { to: 'a@a.test,b@b.test,c@c.test,d@d.test' }]], true],
    ['a statement', [['run_sql', { query: 'select * from t limit 50' }]], true],
    ['another number', [['x', { id: 900 }]], false],
    ['nothing', [['x', {}]], false],
    ['an empty list', [['x', { ids: [] }]], false],
  ],
);
