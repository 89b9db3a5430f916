import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalText } from '../canonical.ts';
import { readAccess } from './access-sentence.ts';

const read = (sentence: string) => {
  const form = readAccess(sentence);
  return form && canonicalText(form);
};

test('who may touch which tables and columns is read as a whole', () => {
  const nurses = read('Nurses may only read the tables patients (patient_id, name) and vitals.');
  assert.match(nurses ?? '', /"nurse/i);
  for (const part of ['patients', 'patient_id', 'vitals'])
    assert.ok(nurses?.includes(part), `${part}: ${nurses ?? ''}`);
  assert.match(read('Only doctors may read the table diagnosis.') ?? '', /diagnosis/);
  assert.match(read('Interns must not read the columns salary and ward of the table staff.') ?? '', /salary/);
  assert.match(
    read('Auditors may only read the folders /finance/reports and /finance/audit.') ?? '',
    /finance/,
  );
});

test('a sentence that says more, or of which a part is no record, is left to the grammar', () => {
  for (const sentence of [
    'Nurses may only read charts.',
    'Nurses may be kind to the table staff.',
    'Never delete the table staff.',
    '',
    'only may read',
  ])
    assert.equal(read(sentence), undefined, sentence);
});

test('an endless sentence is read in bounded time', () => {
  assert.doesNotThrow(() => readAccess(`Nurses may only read the tables ${'a, '.repeat(20_000)}b.`));
});
