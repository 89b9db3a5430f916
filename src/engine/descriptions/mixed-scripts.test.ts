import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTexts } from './check-tool.ts';

const codesOf = (name: string) =>
  checkTexts({ name, kind: 'tool', description: 'Fetches a page.' }).issues.map(({ code }) => code);

test('a word of two scripts in a name is an issue of its own', () => {
  for (const name of ['fetch_pag\u0435', 'se\u03BFrch', 'Re\u0430dFile', '\u0440aypal.pay'])
    assert.ok(codesOf(name).includes('W025'), name);
});

test('words of several scripts beside each other, accents and other scripts are none', () => {
  for (const name of [
    'fetch_page',
    'поиск',
    'search_поиск',
    'müller_änderung',
    '検索API',
    'größe',
    '날씨_get',
  ])
    assert.ok(!codesOf(name).includes('W025'), name);
});
