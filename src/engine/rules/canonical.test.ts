import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalText, readCanonical } from './canonical.ts';
import { anyForm } from './fixtures/any-form.ts';
import { predicatesOf, partsOf } from './rule-form.ts';
import { allKinds } from './predicates/catalog.ts';

test('every form prints as a sentence that reads back to the same form', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(anyForm, (form) => {
      for (const { is } of partsOf(form).flatMap(predicatesOf)) seen.set(is, (seen.get(is) ?? 0) + 1);
      const sentence = canonicalText(form);
      assert.deepEqual(readCanonical(sentence), form, sentence);
      assert.doesNotMatch(
        sentence.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'),
        /\de[-+]?\d|undefined|NaN| {2}| ,/,
      );
    }),
    { numRuns: 2500 },
  );
  const rare = allKinds.filter(({ is }) => (seen.get(is) ?? 0) < 20).map(({ is }) => is);
  assert.deepEqual(rare, [], 'each kind must have been tried');
});

test('what is no canonical sentence is not read', () => {
  for (const text of [
    '',
    'Never delete files.',
    'Deny when it deletes',
    'Deny when it deletes. And more.',
    'Deny when it deletes and it sends or it pays.',
    'When it deletes, require that it sends.',
    `Deny when ${'('.repeat(50)}it deletes${')'.repeat(50)}.`,
  ])
    assert.equal(readCanonical(text), undefined, text);
  assert.deepEqual(readCanonical('Deny when it deletes.'), {
    when: { is: 'action', acts: ['delete'] },
    on_missing: 'deny',
  });
});
