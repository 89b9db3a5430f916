import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCall } from './calls/call.ts';
import { nameWords } from './words.ts';

test('names with letters of other scripts are read as they look', () => {
  for (const name of ['dеlete_backup', 'deleteBаckup', 'ｄｅｌｅｔｅ_backup', 'del\u200Bete_backup'])
    assert.deepEqual(nameWords(name), ['delete', 'backup'], name);
  for (const toolName of ['dеlete_backup', 'delеteBackup', 'ops__d\u0435lete_backup'])
    assert.ok(readCall({ role: 'agent', toolName }).effects.has('delete'), toolName);
});

test('names in another script, or with accents, stay', () => {
  assert.deepEqual(nameWords('удалить_файл'), ['удалить', 'файл']);
  assert.deepEqual(nameWords('dateiLöschen'), ['datei', 'löschen']);
});
