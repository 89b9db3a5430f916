import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allKinds } from '../predicates/catalog.ts';
import { filledDraft, formSchema } from './filled-form.ts';

test('the schema names every kind of predicate with the fields that it needs', () => {
  const text = JSON.stringify(formSchema());
  for (const { is } of allKinds) assert.ok(text.includes(`"const":"${is}"`), is);
  assert.ok(text.includes('"required":["is","names","operator"]'));
});

test('a form that a model filled in is checked, and null is a field left out', () => {
  const when = { is: 'action', acts: ['delete'], verbs: null, alike: null };
  const filled = filledDraft('Never delete paintings.', {
    when,
    unless: null,
    requires: null,
    on_missing: 'deny',
  });
  assert.ok('draft' in filled);
  assert.equal(filled.draft.canonical, 'Deny when it deletes.');
  assert.deepEqual([filled.draft.understood, filled.draft.unread], ['partly', ['paintings']]);
  for (const bad of [undefined, null, 'x', { when: { is: 'nothing' } }, { when: { is: 'action', acts: [] } }])
    assert.ok('problem' in filledDraft('Never delete files.', bad));
});

test('nesting without end is refused', () => {
  let deep: unknown = { is: 'changes' };
  for (let at = 0; at < 2000; at++) deep = { not: deep };
  assert.ok('problem' in filledDraft('x', { when: deep }));
});
