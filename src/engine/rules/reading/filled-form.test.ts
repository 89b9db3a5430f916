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

test('a form that has the words and the numbers of its sentence in names and values covers it', () => {
  for (const [sentence, when, unread] of [
    [
      'Vouchers over 80 euros are not handed to trainees.',
      {
        all: [
          { is: 'tool', names: ['hand_voucher'] },
          { is: 'argument', path: 'value', operator: 'over', value: '80 EUR' },
          { is: 'argument', path: 'recipient_kind', operator: 'is', value: 'trainee' },
        ],
      },
      [],
    ],
    ['Erase no sketches.', { is: 'tool', names: ['delete_sketch'] }, []],
    ['Rerouted parcels stay closed.', { is: 'tool', names: ['open_rerou*', '*parcel'] }, ['closed']],
    [
      'Never order more than 40 crates.',
      {
        all: [
          { is: 'tool', names: ['order_crates'] },
          { is: 'argument', path: 'count', operator: 'over', value: 400 },
        ],
      },
      ['40'],
    ],
    [
      'No prices off by more than 5 percent.',
      {
        all: [
          { is: 'tool', names: ['*price'] },
          { is: 'argument', path: 'price', operator: 'over', value: { argument: 'list_price', times: 1.05 } },
        ],
      },
      [],
    ],
  ] as const) {
    const filled = filledDraft(sentence, { when, on_missing: 'deny' });
    assert.ok('draft' in filled, sentence);
    assert.deepEqual(filled.draft.unread, unread, sentence);
    assert.equal(filled.draft.understood, unread.length === 0 ? 'fully' : 'partly');
  }
});

test('nesting without end is refused', () => {
  let deep: unknown = { is: 'changes' };
  for (let at = 0; at < 2000; at++) deep = { not: deep };
  assert.ok('problem' in filledDraft('x', { when: deep }));
});
