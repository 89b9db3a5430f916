import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameWords } from '../words.ts';
import { readsAspect } from './aspect-names.ts';

test('a thing and what is told of it is a look-up', () => {
  for (const name of [
    'refund_status',
    'message_status',
    'paymentHistory',
    'card_transactions',
    'transactions',
    'deploy_logs',
    'booking_details',
    'compensation_check',
    'attachment_text',
    'customer_account_balance',
  ])
    assert.equal(readsAspect(nameWords(name)), true, name);
});

test('a verb, a person who is texted or a message is none', () => {
  for (const name of [
    'set_status',
    'payments',
    'clear_logs',
    'update_details',
    'post_status',
    'change_history',
    'cancel_order_status',
    'customer_text',
    'send_text',
    'email_details',
    'status',
    '',
  ])
    assert.equal(readsAspect(nameWords(name)), false, name);
});
