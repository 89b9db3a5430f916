import { tryCases } from '../fixtures/try-cases.ts';

const late =
  'Deny when it comes after an answer of "history*" for the same "client" that has in its text behind "score" a number of less than 50.';
const says = (client: string, text: unknown) => ['history_of', { client }, text] as const;
const call = ['grant_credit', { client: 'C-1' }] as const;
tryCases('a number in what a tool answered about the same one counts', late, [
  ['below', [says('C-1', 'Last score: 49, stable'), call], true],
  ['not below', [says('C-1', 'Last score: 50, stable'), call], false],
  ['of another', [says('C-2', 'Last score: 12'), call], false],
  ['another number', [says('C-1', 'Orders: 12'), call], false],
  ['no number', [says('C-1', 'score: none'), call], false],
  ['nothing', [says('C-1', undefined), call], false],
  ['a later one counts', [says('C-1', 'score: 12'), says('C-1', 'score: 80'), call], false],
  ['a very long text', [says('C-1', `${'x '.repeat(30_000)}score: 12`), call], false],
]);
