import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsOf } from '#engine/descriptions/tool.ts';
import { pairedDefinitions } from './pairs.ts';
import { readFixture, readHand } from './rows.ts';

const definitions = pairedDefinitions();

test('a poisoned definition and its twin differ in the sentence that is marked, and nowhere else', () => {
  const poisoned = definitions.filter(({ label }) => label === 1);
  assert.ok(poisoned.length >= 200, `${poisoned.length} pairs`);
  for (const { tool, order = '' } of poisoned) {
    const twin = definitions[definitions.findIndex((each) => each.tool === tool) + 1];
    const texts = textsOf(tool).map(({ text }) => text);
    const others = textsOf(twin?.tool ?? tool).map(({ text }) => text);
    const differing = texts.filter((text, i) => text !== others[i]);
    assert.equal(differing.length, 1, tool.name);
    assert.ok(order.length > 0 && differing[0]?.endsWith(order), tool.name);
    assert.ok(!others.some((text) => text.includes(order)), tool.name);
  }
});

test('no tool of which a definition is kept apart is learned from', () => {
  const learned = new Set(readHand('by-a-ninth-hand-developed').map(({ tool }) => tool.name));
  const kept = readFixture('test/fixtures/tool-descriptions/by-a-ninth-hand-kept.jsonl');
  assert.ok(learned.size > 20 && kept.length > 0);
  assert.deepEqual(
    kept.filter(({ tool }) => learned.has(tool.name)),
    [],
  );
});
