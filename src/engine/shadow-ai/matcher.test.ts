import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import { createMatcher } from './matcher.ts';

const catalogue = readCatalogue();
const matcher = createMatcher(catalogue);

test('each rule matches its examples, and none of those that are not it', () => {
  const missed: string[] = [];
  for (const { id, examples } of catalogue.rules) {
    for (const { image, command_line } of examples.match) {
      const found = matcher.matchProcess(image, command_line);
      if (found === undefined || found.weak || (found.rule.id !== id && !(id === 'mcp-server-launch')))
        missed.push(`${id}: ${image} ${command_line} → ${found?.rule.id} ${found?.weak}`);
    }
    for (const { image, command_line } of examples.no_match) {
      const found = matcher.matchProcess(image, command_line);
      if (found !== undefined && !found.weak)
        missed.push(`not ${id}: ${image} ${command_line} → ${found.rule.id}`);
    }
  }
  assert.deepEqual(missed, []);
});
