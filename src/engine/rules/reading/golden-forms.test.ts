/**
 * Every form that the reader makes of known sentences, as canonical sentences: a change of the reader shows here as a
 * difference that somebody has to look at. Written anew with `BULWARK_WRITE_GOLDEN=1 node tools/test.ts golden-forms`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readRuleFile, ruleFiles } from '../../../../test/fixtures/action-rules/read-written.ts';
import { draftRule } from './draft.ts';

const root = join(import.meta.dirname, '../../../..');
const file = join(root, 'test/fixtures/action-rules/golden-forms.txt');
const presets = join(root, 'data/templates/actions');

interface Template {
  readonly rules: Readonly<Record<string, { readonly description: string; readonly canonical?: string }>>;
}

const sentences = [
  ...readdirSync(presets)
    .toSorted()
    .flatMap((name) => Object.values((parse(readFileSync(join(presets, name), 'utf8')) as Template).rules))
    .map(({ description, canonical }) => canonical ?? description),
  ...['written', 'people', 'unseen']
    .flatMap(ruleFiles)
    .flatMap(readRuleFile)
    .map(({ rule }) => rule),
];

test('every known sentence is read as the form that stands in the golden file', () => {
  const lines = sentences.map((sentence) => {
    const { canonical = 'no form', understood } = draftRule(sentence);
    return `${sentence}\n  ${understood}: ${canonical}\n`;
  });
  if (process.env.BULWARK_WRITE_GOLDEN === '1') writeFileSync(file, lines.join(''));
  const golden = readFileSync(file, 'utf8');
  const changed = lines.filter((line) => !golden.includes(line));
  assert.deepEqual(changed, []);
  assert.equal(golden, lines.join(''));
});
