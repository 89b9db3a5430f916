import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookAlikeNames } from './flows.ts';

const server = (name: string, ...tools: string[]) => ({
  server: name,
  tools: tools.map((each) => ({ name: each, kind: 'tool' as const, description: '' })),
});

/** Evidence of what is found among the tools of two servers. */
const among = (one: string, other: string) =>
  lookAlikeNames([server('web', one), server('mail', other)]).map(({ evidence }) => evidence);

test('names with letters of other scripts look like those that they imitate', () => {
  // A Cyrillic е, a Greek ο, a Cyrillic с at the start, full-width letters, an invisible character.
  for (const other of [
    'fetch_pag\u0435',
    'FetchPage',
    'fet\u0441h_page',
    '\uFF46etch_page',
    'fetch\u200B_page',
  ])
    assert.deepEqual(among('fetch_page', other), [`fetch_page, ${other}`], other);
  assert.equal(among('copy', '\u0441\u043E\u0440\u0443').length, 1);
});

test('names of another script are told apart by their own letters', () => {
  assert.deepEqual(among('поиск', 'письмо'), []);
  assert.deepEqual(among('検索', '送信'), []);
  assert.deepEqual(among('fetch_page', 'fetch_pages'), []);
  assert.deepEqual(among('检索', '检索'), ['检索, 检索']);
});
