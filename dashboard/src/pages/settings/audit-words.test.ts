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
    ['Log requests', '– → yes'],
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

test('what actions, gateways and alerts were and are is told in plain words', () => {
  const set = {
    event: 'policy_set_updated',
    details: {
      id: 'agp_1',
      name: 'Office',
      changes: {
        'policy "no_payments"': { old: 'enabled', new: null },
        notify_emails: { old: [], new: ['a@example.com', 'b@example.com'] },
      },
    },
  };
  assert.deepEqual([whatOf(set), subjectOf(set)], ['Policy set changed', 'Office']);
  assert.deepEqual(factsOf(set).slice(0, 2), [
    ['Policy "no_payments"', 'enabled → –'],
    ['Notify emails', 'none → a@example.com; b@example.com'],
  ]);
  const gateway = {
    event: 'gateway_stopped',
    details: { id: 'gw_1', name: 'Office', changes: { running: { old: true, new: false } } },
  };
  assert.deepEqual(factsOf(gateway)[0], ['Running', 'yes → no']);
  assert.equal(placeOf(gateway)?.to, '/gateways/$gatewayId');
  assert.equal(placeOf({ ...gateway, event: 'gateway_deleted' }), undefined);
  assert.equal(whatOf({ event: 'alert_rule_muted' }), 'Alert muted');
  assert.equal(
    factsOf({ details: { changes: { oauth_client_id: { old: null, new: 'x' } } } })[0]?.[0],
    'OAuth client ID',
  );
});

test('the kinds to choose from differ', () => {
  assert.equal(new Set(kinds.map(({ value }) => value)).size, kinds.length);
  assert.equal(new Set(kinds.map(({ label }) => label)).size, kinds.length);
});
