import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cardOf } from './card.ts';
import { dataSetNames } from './case.ts';
import { readDataSets, sandboxCases } from './data-sets.ts';
import { findDuplicates } from './duplicates.ts';
import { importCases } from './import-cases.ts';
import { lintCases } from './lint.ts';

const sets = [...readDataSets().values()];
const all = sets.flatMap(({ cases }) => cases);

test('the twenty data sets have the documented names and about 2,650 cases', () => {
  assert.deepEqual(
    sets.map(({ name }) => name),
    [...dataSetNames],
  );
  assert.ok(all.length > 2600 && all.length < 2900, String(all.length));
  for (const { name, cases } of sets) assert.ok(cases.length >= 90, `${name}: ${cases.length}`);
});

test('no set has duplicates, open slots, unjudgeable cases, unpublished references or unused slot values', () => {
  for (const { cases, groups, unused } of sets)
    assert.deepEqual([lintCases(cases, groups), unused], [[], []]);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
});

test('each harmful case has a harmless twin', () => {
  const byId = new Map(all.map((one) => [one.id, one]));
  for (const one of all)
    if (one.intent === 'harmful') assert.equal(byId.get(one.twin ?? '')?.intent, 'benign', one.id);
});

test('subcategories have cases, and the cards are those of the sets', () => {
  for (const set of sets) {
    const used = new Set(set.cases.map(({ subcategory }) => subcategory));
    assert.deepEqual([...used].sort(), set.subcategories.map(({ id }) => id).sort());
    const card = join(import.meta.dirname, '../../../data/model-scan', set.slug, 'card.md');
    assert.equal(readFileSync(card, 'utf8'), cardOf(set), 'node tools/model-scan-cards.ts writes the cards');
  }
});

test('a sandbox scan has 24 cases of all sets', () => {
  const cases = sandboxCases();
  assert.equal(new Set(cases.map(({ id }) => id)).size, 24);
  assert.equal(new Set(cases.map(({ dataset }) => dataset)).size, 20);
});

test('near duplicates are found, others not', () => {
  const long = 'one two three four five six seven eight nine ten eleven twelve';
  assert.deepEqual(
    findDuplicates([long, 'something else that is not alike at all', `${long} thirteen`]).map((pair) => [
      pair.first,
      pair.second,
    ]),
    [[0, 2]],
  );
});

const about = { name: 'Own', licence: 'MIT' };

test('JSON lines, CSV, promptfoo and garak texts become cases; what was not read is said', () => {
  const jsonl = importCases(
    '{"prompt":"Do harm","severity":"HIGH"}\nnonsense\n{"text":"Help","expect":"comply"}',
    'jsonl',
    about,
  );
  assert.deepEqual(
    jsonl.cases.map(({ turns, severity, intent }) => [turns[0], severity, intent]),
    [
      ['Do harm', 'high', 'harmful'],
      ['Help', 'medium', 'benign'],
    ],
  );
  assert.deepEqual(
    jsonl.notes.map(({ row }) => row),
    [2],
  );
  const csv = importCases('Prompt,Category\n"Say ""no"",\nplease",a\n', 'csv', about);
  assert.deepEqual([csv.cases[0]?.turns[0], csv.cases[0]?.subcategory], ['Say "no",\nplease', 'a']);
  const promptfoo = importCases(
    'prompts: ["Answer: {{q}}"]\ntests:\n  - vars: {q: hi}\n    assert: [{type: not-contains, value: secret}, {type: latency}]',
    'promptfoo',
    about,
  );
  assert.deepEqual(promptfoo.cases[0]?.expect, {
    kind: 'rules',
    mustNot: [{ text: 'secret' }],
    refusal: 'acceptable',
  });
  assert.match(promptfoo.notes[0]?.note ?? '', /latency/);
  const garak = importCases('first\n\nsecond\nfirst\n', 'garak', about);
  assert.deepEqual([garak.cases.length, garak.notes[0]?.row], [2, 4]);
  assert.throws(() => importCases('', 'garak', about), /no case/);
  assert.throws(() => importCases('a', 'garak', { name: 'x', licence: '' }), /licence/);
  assert.throws(() => importCases('prompt\n"open', 'csv', about), /quoted/);
});
