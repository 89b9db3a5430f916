/** Definitions whose names look like others are found; names of other languages and symbols are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kind } from '../../upstreams/catalog.ts';
import { judgeDefinition } from './judge-definition.ts';

const inputSchema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const tool = (name: string, argument = 'path') => ({
  name,
  description: 'Reads a file.',
  inputSchema: inputSchema(argument),
});

const deceptive: [Kind, Record<string, unknown>][] = [
  ['tools', tool('list\u200B_files')],
  ['tools', tool('copy\u00ADfile')],
  ['tools', tool('list_files', 'fol\u2060der')],
  ['tools', tool('rеad_file')],
  ['tools', tool('ｒead_file')],
  ['tools', tool('list_files', 'раth')],
  ['resources', { uri: 'notes://may', name: 'no\u200Btes' }],
  ['resources', { uri: 'notes://m\u200Bay', name: 'notes' }],
  ['templates', { uriTemplate: 'notes://{m\u200Bonth}', name: 'notes' }],
  ['prompts', { name: 'summary', arguments: [{ name: 'to\u200Bne' }] }],
];

test('a name with characters that nobody sees, or with letters that look like others, is a finding', () => {
  for (const [kind, definition] of deceptive) {
    const { flagged, issues } = judgeDefinition(kind, definition);
    assert.equal(flagged, true, JSON.stringify(definition));
    assert.match(issues[0]?.says ?? '', /^The name (?:“|has letters)/);
  }
});

test('names in any language, symbols and emoji are none', () => {
  for (const name of [
    'list_files',
    'σ_max',
    'Δt',
    'naïve_größe',
    'читать_файл',
    'ファイル一覧',
    'قراءة_ملف',
    'rate_µm',
  ])
    for (const definition of [tool(name), tool('list_files', name)])
      assert.equal(judgeDefinition('tools', definition).flagged, false, name);
  const resource = { uri: 'notes://may', name: 'Отчёт API за май 👨‍👩‍👧' };
  assert.equal(judgeDefinition('resources', resource).flagged, false);
});
