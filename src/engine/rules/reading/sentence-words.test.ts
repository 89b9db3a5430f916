import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGrammatical, numberOf, untaken, wordsOf } from './sentence-words.ts';

test('paths, addresses, flags, ranges and money stay in one piece; a hyphen ends a word', () => {
  const words = wordsOf(
    'Never e-mail a.b@x.test from /srv/app/*.log with --force over $1,500 or 5% to 10.0.0.0/8.',
  );
  assert.deepEqual(
    words.map(({ text }) => text),
    [
      'Never',
      'e',
      'mail',
      'a.b@x.test',
      'from',
      '/srv/app',
      '.log',
      'with',
      '--force',
      'over',
      '$1,500',
      'or',
      '5%',
      'to',
      '10.0.0.0/8',
    ],
  );
  for (const { text, from, to } of words) assert.equal(to - from, text.length);
});

test('a number is one in digits or in a word, with its sign, thousands and millions', () => {
  for (const [text, value] of [
    ['three', 3],
    ['$1,500', 1500],
    ['5k', 5000],
    ['2m', 2_000_000],
    ['20%', 20],
    ['1.5', 1.5],
    ['zero', undefined],
    ['a7', undefined],
    ['1.2.3', undefined],
  ] as const)
    assert.equal(numberOf(text), value, text);
});

test('joining words say nothing, numbers and particles always do', () => {
  assert.ok(isGrammatical('the') && isGrammatical('x') && !isGrammatical('refund'));
  const left = (sentence: string, taken: readonly string[] = []) =>
    untaken(wordsOf(sentence), ({ plain }) => taken.includes(plain)).map(({ text }) => text);
  assert.deepEqual(left('Never refund the customer 3 times.', ['refund']), ['3', 'times']);
  assert.deepEqual(left('The site must not be taken down.', ['site']), ['down']);
  assert.deepEqual(left('Never delete records.', ['delete']), [], 'a general noun beside what is looked for');
});
