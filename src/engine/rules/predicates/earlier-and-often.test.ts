import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaks } from '../fixtures/try-sentence.ts';

test('fields of earlier answers are compared, with values of the rule and of the call', () => {
  const closed =
    'Deny when it updates and it comes after an answer of "get_*" for the same "ticket_id" with a field "status" that is "closed".';
  const read = (id: string, status: string) =>
    ['get_ticket', { ticket_id: id }, { ticket_id: id, status }] as const;
  const write = ['update_ticket', { ticket_id: 'T1' }] as const;
  assert.equal(breaks(closed, [read('T1', 'closed'), write]), true);
  assert.equal(breaks(closed, [read('T2', 'closed'), write]), false);
  // The latest answer counts.
  assert.equal(breaks(closed, [read('T1', 'closed'), read('T1', 'open'), write]), false);
  assert.equal(breaks(closed, [write]), false);

  const listed =
    'When it pays, require that it comes after an answer of "list_payees" with a field "payees.iban" that is the argument "iban", else deny.';
  const payees = ['list_payees', {}, '{"payees":[{"iban":"DE1"},{"iban":"DE2"}]}'] as const;
  assert.equal(breaks(listed, [payees, ['send_payment', { iban: 'DE2', amount: 5 }]]), false);
  assert.equal(breaks(listed, [payees, ['send_payment', { iban: 'DE3', amount: 5 }]]), true);
  assert.equal(breaks(listed, [['send_payment', { iban: 'DE2', amount: 5 }]]), true);

  const limit =
    'Deny when it pays and it comes after an answer of "get_purchase_order" for the same "po" with a field "approved" of less than the argument "amount".';
  const order = ['get_purchase_order', { po: 'P1' }, { po: 'P1', approved: 1200 }] as const;
  assert.equal(breaks(limit, [order, ['pay_vendor', { po: 'P1', amount: 1500 }]]), true);
  assert.equal(breaks(limit, [order, ['pay_vendor', { po: 'P1', amount: 1200 }]]), false);
});

test('a count within a month is that of the durable log, for each customer', () => {
  const rule =
    'Deny when it refunds and it comes after more than 3 of its kind, itself counted, to refund within a month for the same "customer".';
  const call = [['issue_refund', { customer: 'C1', amount: 5 }]] as const;
  const asked: unknown[] = [];
  const counting = (before: number) => ({
    countBefore: (query: object) => {
      asked.push(query);
      return { count: before };
    },
  });
  assert.equal(breaks(rule, call, counting(3)), true);
  assert.equal(breaks(rule, call, counting(2)), false);
  assert.deepEqual(asked[0], { tool: 'issue_refund', acts: ['refund'], keys: ['c1'], window: 'month' });
  // Without the log the session is what can be counted.
  assert.equal(breaks(rule, [...call, ...call, ...call, ...call]), true);
  assert.equal(breaks(rule, call), false);
});

test('tools are told by globs over their names and servers', () => {
  const rule = 'Deny when it is the tool "delete_*" or "drop_*" of the server "billing*".';
  assert.equal(breaks(rule, [['DROP_table', {}]], { serverName: 'billing-eu' }), true);
  assert.equal(breaks(rule, [['drop_table', {}]], { serverName: 'crm' }), false);
  assert.equal(breaks(rule, [['list_tables', {}]], { serverName: 'billing-eu' }), false);
});

test('an amount in another currency than that of the limit is not passed over', () => {
  const rule = 'Deny when it pays and it has an amount of more than 500 in "EUR".';
  assert.equal(breaks(rule, [['send_payment', { amount: 400, currency: 'EUR' }]]), false);
  assert.equal(breaks(rule, [['send_payment', { amount: 600 }]]), true);
  assert.equal(breaks(rule, [['send_payment', { amount: 400, currency: 'GBP' }]]), true);
  assert.equal(breaks(rule, [['send_payment', { amount_gbp: 400 }]]), true);
});
