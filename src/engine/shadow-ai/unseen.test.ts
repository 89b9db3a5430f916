/** Cases that were written before the catalogue was looked at. First look: 76 of 80 tools, none of 80 others. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import { createMatcher } from './matcher.ts';

const matcher = createMatcher(readCatalogue());

const casesOf = (name: string): [image: string, commandLine: string][] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' | ') as [string, string]);

test('AI tools are recognised however they are started', () => {
  const cases = casesOf('unseen-tools');
  assert.equal(cases.length, 80);
  assert.deepEqual(
    cases.filter((each) => matcher.matchProcess(...each) === undefined),
    [],
  );
});

test('programs that mention AI tools, or have their names, are none', () => {
  const cases = casesOf('unseen-others');
  assert.equal(cases.length, 80);
  // A weak name alone is no detection.
  assert.deepEqual(
    cases.filter((each) => matcher.matchProcess(...each)?.weak === false),
    [],
  );
});
