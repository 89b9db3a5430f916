import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPlainNames } from './plain-names.ts';

test('words that are names are told from keywords, at the same length', () => {
  const text =
    'async function create(table, using, check) { if (at < unique.length) return new is(using); }as.create=()=>new as();';
  const plain = withPlainNames(text, 'tsx');
  assert.equal(plain.length, text.length);
  assert.doesNotMatch(plain, /\b(?:using|unique|is|as)\b/);
});

test('keywords stay', () => {
  const text =
    'await using file = open(); for (using each of all) {} const key: unique symbol = Symbol(); import { a as b } from "c"; const isText = (a: unknown): a is string => true;';
  assert.equal(withPlainNames(text, 'typescript'), text);
});

test('a list of Rust is one without its macro', () => {
  const text = 'let a = vec![b(1), vec![2; 3]]; let c = my_vec![1]; let d = vec!(4);';
  assert.equal(
    withPlainNames(text, 'rust'),
    'let a =     [b(1),     [2; 3]]; let c = my_vec![1]; let d = vec!(4);',
  );
});

test('other languages stay as they are', () => {
  assert.equal(withPlainNames('using = 1', 'python'), 'using = 1');
});
