/** Predicates about what the call is, carries, touches and reaches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaks } from '../fixtures/try-sentence.ts';
import { destination } from './destination.ts';
import { tool } from './tool.ts';

test('a tool is known by its name and by the server that offers it', () => {
  const named = 'Deny when it is the tool "send_*" of the server "mail".';
  assert.equal(breaks(named, [['send_mail', {}]], { serverName: 'mail' }), true);
  assert.equal(breaks(named, [['read_mail', {}]], { serverName: 'mail' }), false);
  assert.equal(breaks(named, [['send_mail', {}]], { serverName: 'chat' }), false);
  assert.equal(breaks(named, [['send_mail', {}]]), false, 'of no server that is known');
  assert.match(tool.refuse?.({ is: 'tool' }) ?? '', /'names' or 'servers'/);
});

test('an amount counts alone or together with those before it, and another currency is beyond any limit', () => {
  const alone = 'Deny when it has an amount of more than 500.';
  const before = ['pay', { amount: 300 }] as const;
  assert.equal(breaks(alone, [before, ['pay', { amount: 300 }]]), false);
  assert.equal(breaks(alone, [['pay', { amount: 501 }]]), true);
  assert.equal(breaks(alone, [['pay', {}]]), false, 'no amount is known');
  const together = 'Deny when it has an amount of more than 500 together with those before it.';
  assert.equal(breaks(together, [before, ['pay', { amount: 300 }]]), true);
  assert.equal(breaks(together, [['pay', { amount: 300 }]]), false);
  const euros = 'Deny when it has an amount of more than 500 in "EUR".';
  assert.equal(breaks(euros, [['pay', { amount: 400, currency: 'USD' }]]), true);
  assert.equal(breaks(euros, [['pay', { amount: 400, currency: 'EUR' }]]), false);
});

test('a path lies below a folder as a whole, however it is written', () => {
  const below = 'Deny when it touches a path below "/etc".';
  assert.equal(breaks(below, [['write_file', { path: '/etc/hosts' }]]), true);
  assert.equal(breaks(below, [['write_file', { path: '/srv/../etc/hosts' }]]), true);
  assert.equal(breaks(below, [['write_file', { path: '/etcetera/x' }]]), false);
  const outside = 'Deny when it touches a path outside of "/srv".';
  assert.equal(breaks(outside, [['write_file', { path: '/srv/../etc/hosts' }]]), true);
  assert.equal(breaks(outside, [['write_file', { path: '/srv/a' }]]), false);
});

test('a destination is outside where it is none of the own domains', () => {
  const outside = 'Deny when it goes outside of the own domains.';
  const own = { ownDomains: ['example.com'] };
  assert.equal(breaks(outside, [['send_email', { to: 'a@other.test' }]], own), true);
  assert.equal(breaks(outside, [['send_email', { to: 'a@example.com' }]], own), false);
  assert.equal(breaks(outside, [['send_email', { to: 'a@example.com.other.test' }]], own), true);
  const elsewhere = 'Deny when it goes elsewhere than to "Partner.test".';
  assert.equal(breaks(elsewhere, [['send_email', { to: 'a@partner.test' }]]), false);
  assert.equal(breaks(elsewhere, [['send_email', { to: 'a@other.test' }]]), true);
  for (const wrong of [
    { is: 'destination', where: 'in' },
    { is: 'destination', where: 'outside', places: ['x'] },
  ] as const)
    assert.match(destination.refuse?.(wrong) ?? '', /'places' must stand/);
});

test('effects are those of the act, whatever the tool is called', () => {
  const destroys = 'Deny when it has the effect to delete.';
  assert.equal(breaks(destroys, [['remove_user', { id: 7 }]]), true);
  assert.equal(breaks(destroys, [['bash', { command: 'rm -rf build' }]]), true);
  assert.equal(breaks(destroys, [['list_users', {}]]), false);
});

test('data counts by its name or by its shape; a rule may ask for the shape alone', () => {
  const cards = 'Deny when it carries or names card data.';
  assert.equal(breaks(cards, [['send_email', { body: '4111 1111 1111 1111' }]]), true);
  assert.equal(breaks(cards, [['send_email', { body: 'See you at lunch.' }]]), false);
});
