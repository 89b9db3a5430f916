/** A call that the action guard holds at a gateway is one approval, wherever it is decided. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHeldGateway } from '../../fixtures/held-gateway.ts';
import { openTestService } from '../../fixtures/service.ts';

/** Nobody waits so long: what is answered was released. */
const patienceMs = 3_600_000;

const service = await openTestService({
  env: { BULWARK_AGENT_GATEWAY_APPROVAL_TIMEOUT_MS: String(patienceMs) },
});
after(() => service[Symbol.asyncDispose]());
const { call, atGuard, tokens } = service;
const { member: manager, admin } = tokens;
const open = (...of: [rule?: object, roles?: object]) => openHeldGateway(service, ...of);

const decideAtGuard = (id: string, as: string, decision = 'approve') =>
  atGuard('POST', `/api/v1/approvals/${id}`, { as, body: { decision } });

test('a manager’s approval at the action guard releases the call that waits at the gateway', async () => {
  await using gateway = await open();
  const answer = gateway.echo('one');
  const held = await gateway.held();
  const { body: there } = await atGuard('GET', `/api/v1/approvals/${held.action_approval_id}`, {
    as: manager,
  });
  assert.equal(held.expires_at, there.expires_at, 'both expire at the same time');
  const approved = await decideAtGuard(held.action_approval_id, manager);
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  assert.match(await answer, /one/);
  const [after] = await gateway.listed('approved');
  assert.deepEqual([after.id, after.decided_by_name, after.waiting], [held.id, 'member', false]);
  assert.equal((await gateway.decide(held.id, admin, 'deny')).status, 409);
});

test('a denial at the action guard refuses the call that waits', async () => {
  await using gateway = await open();
  const answer = gateway.echo('one');
  await decideAtGuard((await gateway.held()).action_approval_id, manager, 'deny');
  assert.match(await answer, /Not approved:/);
  assert.equal((await gateway.listed('denied'))[0].decided_by_name, 'member');
});

test('who may decide at the gateway follows the rule, and the decision is the action guard’s', async () => {
  await using gateway = await open();
  const answer = gateway.echo('one');
  const held = await gateway.held();
  const byAdmin = await gateway.decide(held.id, admin);
  assert.deepEqual([byAdmin.status, /manager/.test(byAdmin.body.detail)], [403, true]);
  assert.equal((await gateway.decide(held.id, tokens.stranger)).status, 404);
  const byManager = await gateway.decide(held.id, manager);
  assert.deepEqual([byManager.status, byManager.body.status], [200, 'approved']);
  assert.match(await answer, /one/);
  const { body: there } = await atGuard('GET', `/api/v1/approvals/${held.action_approval_id}`, { as: admin });
  assert.deepEqual([there.status, there.grants[0].by_name], ['used', 'member']);
  const events = async (event: string) =>
    (await call('GET', `/auth/audit-events?event=${event}`, { as: admin })).body.events[0];
  const [here, atTheGuard] = [await events('approval_decided'), await events('action_approved')];
  assert.deepEqual([here.details.id, here.user_name], [held.id, 'member']);
  assert.deepEqual([atTheGuard.details.id, atTheGuard.user_name], [held.action_approval_id, 'member']);
});

test('where a rule wants two people the call waits for both, whichever way each decides', async () => {
  const both = {
    rule: {
      when: { is: 'tool', names: ['echo'] },
      requires: {
        all: [
          { is: 'approval', from: 'checked', by: ['manager'] },
          { is: 'approval', from: 'checked', by: ['lawyer'] },
        ],
      },
      on_missing: 'ask',
    },
  };
  await using gateway = await open(both, { manager: ['member'], lawyer: ['admin'] });
  const answer = gateway.echo('one');
  const held = await gateway.held();
  assert.equal((await gateway.decide(held.id, manager)).status, 200);
  const there = async () =>
    (await atGuard('GET', `/api/v1/approvals/${held.action_approval_id}`, { as: admin })).body;
  while ((await there()).status !== 'pending') await sleep(20);
  const [waits, ...others] = await gateway.listed('pending');
  assert.deepEqual([waits.id, others.length], [held.id, 0]);
  assert.equal((await decideAtGuard(held.action_approval_id, admin)).status, 200);
  assert.match(await answer, /one/);
});

test('of the same call sent twice at once each needs its own approval', async () => {
  await using gateway = await open();
  const both = [gateway.echo('twice'), gateway.echo('twice')];
  const first = await gateway.held();
  for (;;) {
    const { body } = await atGuard('GET', '/api/v1/logs?limit=10', { as: admin });
    if (body.logs.filter((one: { gateway_id: string }) => one.gateway_id === gateway.gatewayId).length >= 2)
      break;
    await sleep(20);
  }
  await decideAtGuard(first.action_approval_id, manager);
  assert.match(await Promise.any(both), /twice/);
  const second = await gateway.held();
  assert.notEqual(second.action_approval_id, first.action_approval_id);
  await gateway.decide(second.id, manager);
  for (const answer of await Promise.all(both)) assert.match(answer, /twice/);
});

test('the home page can tell calls that the action guard lists too', async () => {
  await using gateway = await open();
  const answer = gateway.echo('counted');
  const held = await gateway.held();
  const { body } = await call('GET', '/api/decisions', { as: admin });
  const here = body.decisions.find((one: { gateway_id: string }) => one.gateway_id === gateway.gatewayId);
  assert.deepEqual([here.calls, here.calls_at_action_guard], [1, 1]);
  await gateway.decide(held.id, manager, 'deny');
  await answer;
});
