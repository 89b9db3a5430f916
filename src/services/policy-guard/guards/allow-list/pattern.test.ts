import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldText } from '../../library/fold-text.ts';
import { compilePattern } from './pattern.ts';

const matches = (pattern: string, text: string) => compilePattern(pattern).matches(foldText(text));

test('patterns have their usual meaning, anchored to the whole text', () => {
  const table: [pattern: string, yes: string[], no: string[]][] = [
    ['order', ['order', ' ORDER '], ['orders', 'an order', '']],
    ['order [0-9]{1,3}', ['order 1', 'order 123'], ['order', 'order 1234', 'order x']],
    ['status (of|for) .+', ['Status of it', 'status for\n you'], ['status of', 'status by it']],
    ['hell(o|a)*b?', ['hell', 'helloab', 'hellooo'], ['helb', 'hellobb']],
    ['a\\.b\\.c\\.d', ['a.b.c.d'], ['axbxcxd']],
    ['kill -\\d{1,2} \\w+', ['kill -9 node'], ['kill -999 node', 'kill -9 a b']],
    ['[A-C]abcd', ['Babcd', 'babcd'], ['dabcd']],
    ['[^a-z]abcd', ['1abcd'], ['xabcd', 'Xabcd']],
    ['[\\d-]{2}abcd', ['1-abcd'], ['1xabcd']],
    ['(?:ab){2,}', ['abab', 'ababab'], ['ab', 'aba']],
    ['straße', ['STRAßE'], ['strase']],
    ['ｆｕｌｌ width', ['full width'], ['ful width']],
    ['😀{4}', ['😀😀😀😀'], ['😀😀😀']],
  ];
  for (const [pattern, yes, no] of table) {
    for (const text of yes) assert.equal(matches(pattern, text), true, `${pattern} ~ ${text}`);
    for (const text of no) assert.equal(matches(pattern, text), false, `${pattern} !~ ${text}`);
  }
});

test('repetitions of an empty group match nothing more, however they are nested', () => {
  const nothing = `${'('.repeat(40)}${'){1000}'.repeat(20)}${')'.repeat(20)}`;
  assert.equal(matches(`abcd${nothing}`, 'abcd'), true);
  assert.equal(matches(`abcd${nothing}`, 'abcde'), false);
  assert.equal(matches('abcd(|x){2}(){3,}', 'abcdx'), true);
});

test('patterns that need more than linear time, or match nearly everything, are refused', () => {
  const refused: [pattern: string, RegExp][] = [
    ['(?=abcd)abcd', /look-around/],
    ['(?<name>abcd)', /look-around/],
    ['(abcd)\\1', /\\1/],
    ['^abcd$', /\^/],
    ['(abcd', /not closed/],
    ['abcd)', /closes nothing/],
    ['[abcd', /not closed/],
    ['abcd**', /quantifier/],
    ['*abcd', /nothing that/],
    ['abcd{3,1}', /ends before/],
    ['abcd{9999}', /1000/],
    ['abcd\\', /ends with/],
    ['abcd\\q', /\\q/],
    ['abcd[z-a]', /range/],
    ['((abcd){99}){99}', /states/],
    [`${'('.repeat(60)}abcd${')'.repeat(60)}`, /nested/],
    ['.*', /nearly everything/],
    ['abc.*', /nearly everything/],
    ['abcd|.*', /nearly everything/],
    ['(abcd)?', /nearly everything/],
  ];
  for (const [pattern, detail] of refused) assert.throws(() => compilePattern(pattern), detail, pattern);
});

test('patterns match the same texts as JavaScript regular expressions', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '(a|b)', '(ab|b)', '(a|)');
  const piece = fc
    .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}'))
    .map((p) => p.join(''));
  const pattern = fc.array(piece, { maxLength: 5 }).map((pieces) => `xxxx${pieces.join('')}`);
  const text = fc
    .array(fc.constantFrom('a', 'b', '1', 'c'), { maxLength: 9 })
    .map((all) => `xxxx${all.join('')}`);
  fc.assert(
    fc.property(pattern, text, (expression, tried) => {
      assert.equal(
        compilePattern(expression).matches(tried),
        new RegExp(`^(?:${expression})$`).test(tried),
        `${expression} on ${tried}`,
      );
    }),
    { numRuns: 2000 },
  );
});

test('matching time is bounded for every pattern', () => {
  // Each of these takes a backtracking matcher exponential time.
  const text = `xxxx${'a'.repeat(4000)}!`;
  const startMs = performance.now();
  for (const pattern of ['xxxx(a+)+', 'xxxx(a|a)*', 'xxxx(.*){20}b', 'xxxx(a?){100}a{100}b', 'xxxx((a*)*)*b'])
    assert.equal(matches(pattern, text), false, pattern);
  assert.ok(performance.now() - startMs < 60_000);
});
