import { tryCases } from '../fixtures/try-cases.ts';

tryCases('data is known by its shape or its name', 'Deny when it carries or names card data.', [
  ['by its shape', [['send', { body: 'Use 4111 1111 1111 1111.' }]], true],
  ['by its name', [['send', { card_number: 'x' }]], true],
  ['masked', [['send', { body: 'Card **** 1111' }]], false],
  ['an id', [['get', { payment_method_id: 'credit_card_9513926' }]], false],
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
