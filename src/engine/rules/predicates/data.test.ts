import { tryCases } from '../fixtures/try-cases.ts';

tryCases('data is known by its shape or its name', 'Deny when it carries or names card data.', [
  ['by its shape', [['send', { body: 'Use 4111 1111 1111 1111.' }]], true],
  ['by its name', [['send', { card_number: 'x' }]], true],
  ['masked', [['send', { body: 'Card **** 1111' }]], false],
  ['an id', [['get', { payment_method_id: 'credit_card_9513926' }]], false],
  ['a short id', [['get', { payment_method_id: 'gift_card_123' }]], false],
  ['digits that are no card', [['send', { body: 'Order 1234 5678 90' }]], false],
  ['nothing', [['send', {}]], false],
]);
tryCases(
  'going by the shape alone a name is not enough',
  'Deny when it carries or names secrets, going by its shape alone.',
  [
    ['a key', [['send', { body: 'AKIAIOSFODNN7EXAMPLE' }]], true],
    ['a word for it', [['send', { body: 'The password is with Ann.' }]], false],
  ],
);
tryCases('what counts or turns pages is no secret', 'Deny when it carries or names secrets.', [
  ['a limit', [['chat', { max_tokens: 4096 }]], false],
  ['a cursor', [['list', { page_token: 'CAoQAA', nextPageToken: 'eyJvZmZzZXQiOjEwMH0=' }]], false],
  [
    'where a list goes on',
    [['list', { continuation_token: '1!48!abc', cursor: 'dXNlcjpXMDdRQ1JQQTQ=' }]],
    false,
  ],
  ['a token', [['call', { access_token: 'x' }]], true],
  ['a key for a cursor', [['list', { page_token: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' }]], true],
  ['a key for a limit', [['chat', { max_tokens: 'sk-proj-abcdEFGH1234ijklMNOP5678qrstUVWX' }]], true],
  ['a word with digits', [['set', { value: 'password_123' }]], true],
]);
tryCases('masked numbers are no personal data', 'Deny when it carries or names personal data.', [
  ['masked', [['send', { body: 'SSN ***-**-6789' }]], false],
  ['in an argument of its own', [['send', { ssn: '***-**-6789' }]], false],
  ['a party', [['send', { subject: 'birthday party on Friday' }]], false],
  ['whole', [['send', { body: 'SSN 123-45-6789' }]], true],
  ['with others beside it', [['send', { body: 'SSN ***-**-6789, salary 80,000' }]], true],
  ['signs beside it', [['send', { body: 'The payroll, xx12' }]], true],
  ['signs alone, many of them', [['send', { body: `ssn ${'x'.repeat(60_000)}!` }]], true],
]);
tryCases('many signs take no long time', 'Deny when it carries or names card data.', [
  ['signs alone', [['send', { body: `${'x'.repeat(60_000)}!` }]], false],
]);
