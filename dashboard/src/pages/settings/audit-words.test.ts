import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, kinds, placeOf, subjectOf, whatOf } from './audit-words.ts';

test('entries are named in plain words, with what each field was and is', () => {
  const details = {
    id: 'gd_1',
    name: 'Front desk',
    changes: { mode: { old: 'enforce', new: 'observe' }, log_requests: { old: null, new: true } },
  };
  const entry = { event: 'guard_updated', details };
  assert.deepEqual([whatOf(entry), subjectOf(entry)], ['Guard changed', 'Front desk']);
  assert.deepEqual(factsOf(entry).slice(0, 2), [
    ['Mode', 'enforce → observe'],
    ['Log requests', '– → true'],
  ]);
  assert.equal(whatOf({ event: 'api_key_created' }), 'API key created');
});

test('an approved action leads to its call, and what is deleted leads nowhere', () => {
  const details = { tool: 'transfer_money', session_id: 'session-7' };
  const approved = { event: 'action_approved', details };
  assert.equal(subjectOf(approved), 'transfer_money');
  assert.deepEqual(placeOf(approved), {
    label: 'Show the call',
    to: '/actions',
    search: { session: 'session-7', hours: 'all' },
  });
  const guard = { id: 'gd_1', name: 'Front desk' };
  assert.equal(placeOf({ event: 'guard_updated', details: guard })?.to, '/guards/$guardUuid');
  assert.equal(placeOf({ event: 'guard_deleted', details: guard }), undefined);
});

test('the kinds to choose from differ', () => {
  assert.equal(new Set(kinds.map(({ value }) => value)).size, kinds.length);
  assert.equal(new Set(kinds.map(({ label }) => label)).size, kinds.length);
});
