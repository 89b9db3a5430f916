/** Calls that nobody decides about in time, and calls whose process has ended. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHeldGateway } from '../../fixtures/held-gateway.ts';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService({ env: { BULWARK_AGENT_GATEWAY_APPROVAL_TIMEOUT_MS: '3000' } });
after(() => service[Symbol.asyncDispose]());
const { call, atGuard, db, tokens } = service;
const { member: manager, admin } = tokens;
const open = () => openHeldGateway(service);

test('a call that nobody decides in time is refused, stays one approval, and passes when it is sent again', async () => {
  await using gateway = await open();
  const refused = await gateway.echo('late');
  assert.match(refused, /Not approved yet: .* It can be approved until/);
  const [pending, ...others] = await gateway.listed('pending');
  assert.deepEqual([pending.waiting, others.length], [false, 0]);
  const again = gateway.echo('late');
  const held = await gateway.held();
  assert.equal(held.id, pending.id, 'the same call is the same approval');
  assert.equal((await gateway.decide(held.id, manager)).status, 200);
  assert.match(await again, /late/);
  const { body } = await call('GET', '/api/decisions', { as: admin });
  assert.ok(!body.decisions.some((one: { gateway_id: string }) => one.gateway_id === gateway.gatewayId));
});

/** A call that waited in a process that is no longer there. */
async function heldByEnded(gatewayId: string, columns: Record<string, unknown> = {}) {
  const [row] = await db.query<{ id: string }>(
    `insert into agent_gateway.approvals (approval_id, tenant_id, gateway_id, user_id, principal, tool_name, server_id,
        arguments, reasons, status, created_at, expires_at, process_id, session_id, ends_with_process, guard_approval_id)
      select gen_random_uuid(), tenant_id, gateway_id, owner_id, 'admin', 'echo', 's', '{}', '[]', 'pending', $2,
        $3, 'a process', 'the session', $4, $5 from agent_gateway.gateways where gateway_id = $1
      returning approval_id as id`,
    [
      gatewayId,
      new Date(),
      new Date(Date.now() + 60_000),
      columns['ends'] ?? false,
      columns['atGuard'] ?? null,
    ],
  );
  return row?.id ?? '';
}

test('a call whose process ended cannot be decided, says why, and is in the log', async () => {
  await using gateway = await open();
  const id = await heldByEnded(gateway.gatewayId);
  const decided = await gateway.decide(id, admin);
  assert.deepEqual(
    [decided.status, /process that held this call ended/.test(decided.body.detail)],
    [409, true],
  );
  const [shown] = await gateway.listed('expired');
  assert.deepEqual(
    [shown.id, shown.waiting, shown.note],
    [id, false, 'The process that held this call ended.'],
  );
  const { body } = await call('GET', `/api/gateways/${gateway.gatewayId}/calls`, { as: admin });
  const entries = body.calls.filter((one: { approval_id: string }) => one.approval_id === id);
  assert.deepEqual(
    entries.map((one: Record<string, unknown>) => [one['outcome'], one['held'], one['session_id']]),
    [['approval_denied', true, 'the session']],
  );
  assert.match(entries[0].reason, /process that held this call ended/);
});

test('one that can be sent again can be approved still; with its session it ends at the action guard too', async () => {
  await using gateway = await open();
  const refused = await gateway.echo('kept');
  assert.match(refused, /Not approved yet/);
  const [pending] = await gateway.listed('pending');
  await db.query(`update agent_gateway.approvals set process_id = 'a process' where approval_id = $1`, [
    pending.id,
  ]);
  const [kept] = await gateway.listed('pending');
  assert.deepEqual([kept.id, kept.waiting, kept.note], [pending.id, false, null]);
  await db.query(
    `update agent_gateway.approvals set process_id = 'a process', ends_with_process = true where approval_id = $1`,
    [pending.id],
  );
  assert.equal((await gateway.listed('pending')).length, 0);
  const { action_approval_id: there } = pending;
  for (const until = Date.now() + 20_000; ; await sleep(20)) {
    const { body } = await atGuard('GET', `/api/v1/approvals/${there}`, { as: admin });
    if (body.status === 'expired') break;
    assert.ok(Date.now() < until, JSON.stringify(body));
  }
  const decided = await atGuard('POST', `/api/v1/approvals/${there}`, {
    as: manager,
    body: { decision: 'approve' },
  });
  assert.deepEqual(
    [decided.status, /process that held this call ended/.test(decided.body.detail)],
    [409, true],
  );
});
