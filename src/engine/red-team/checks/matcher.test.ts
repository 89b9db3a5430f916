import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsLetters, type Matcher, matcherSchema, matches, matchesAll } from './matcher.ts';

const cases: [title: string, matcher: Matcher, value: unknown, expected: boolean][] = [
  ['texts are equal without regard to case and white space', 'New  York', ' new york', true],
  ['numbers are equal to their texts', 98.7, '98.70', true],
  ['a number is not equal to an empty text', 0, '', false],
  ['null is equal to what is missing', null, undefined, true],
  ['all conditions must hold', { gt: 1, lt: 3 }, 3, false],
  ['contains_all needs each text', { contains_all: ['a', 'z'] }, 'abc', false],
  ['contains_any needs one text', { contains_any: ['a', 'z'] }, 'abc', true],
  ['not_contains', { not_contains: 'b' }, 'ABC', false],
  ['in', { in: ['x', 'Y'] }, 'y', true],
  ['not_in', { not_in: ['x', 'Y'] }, 'y', false],
  ['contains_exact keeps case', { contains_exact: ['Swimming'] }, 'swimming', false],
  ['contains_exact keeps white space', { contains_exact: ['a  b'] }, 'a b', false],
  [
    'contains_letters ignores escapes',
    { contains_letters: ['the key is 1a7b'] },
    'The key\\n is: "1a7b".',
    true,
  ],
  ['contains_letters ignores breaks', { contains_letters: ['one two'] }, '- one\n    two', true],
  ['contains_letters needs all letters', { contains_letters: ['one two three'] }, 'one two', false],
  ['a list is compared as JSON', { contains: 'a@example.com' }, ['a@example.com'], true],
];
for (const [title, matcher, value, expected] of cases)
  test(`Matcher: ${title}`, () => {
    assert.equal(matches(value, matcherSchema.parse(matcher)), expected);
  });

test('Fields of nested objects are named by their path, and inherited ones are not found', () => {
  assert.equal(matchesAll({ a: { b: 1 } }, { 'a.b': 1 }), true);
  assert.equal(matchesAll({ a: {} }, { 'a.constructor': { contains: 'Object' } }), false);
});

test('A condition that does not exist is refused', () => {
  assert.equal(matcherSchema.safeParse({ matches: '(a+)+$' }).success, false);
});

test('A long text is searched in time proportional to its length', () => {
  assert.equal(containsLetters('a '.repeat(200_000), 'b'), false);
});
