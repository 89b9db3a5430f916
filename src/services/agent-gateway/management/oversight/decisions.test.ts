/** What waits for a decision, over all gateways of a caller. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sharersOf, type Who } from '../../../../../test/fixtures/sharing.ts';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, db, tokens } = service;
const who = await sharersOf(call, tokens);

const open = async (as: Who) => {
  const { status, body } = await call('GET', '/api/decisions', { as: who[as] });
  assert.equal(status, 200, JSON.stringify(body));
  return body.decisions as Record<string, string | number>[];
};

/** A gateway of the owner with a server of that name behind it. */
async function gatewayWithServer(name: string) {
  const { body: server } = await call('POST', '/api/mcp-servers', {
    as: who.owner,
    body: { name: `${name} server`, transport: 'http', connection_url: 'http://127.0.0.1:9/mcp' },
  });
  const { body: gateway } = await call('POST', '/api/gateways', { as: who.owner, body: { name } });
  const attached = await call('POST', `/api/gateways/${gateway.id}/mcp-servers/${server.id}`, {
    as: who.owner,
    body: {},
  });
  assert.equal(attached.status, 201, JSON.stringify(attached.body));
  return { gatewayId: String(gateway.id), serverId: String(server.id) };
}

const minute = 60_000;

async function addApproval(place: { gatewayId: string; serverId: string }, status: string, endsInMs: number) {
  await db.query(
    `insert into agent_gateway.approvals (approval_id, tenant_id, gateway_id, user_id, principal, tool_name, server_id,
        arguments, reasons, status, created_at, expires_at)
      select gen_random_uuid(), tenant_id, gateway_id, owner_id, 'p', 't', $2, '{}', '[]', $3, now(), $4
        from agent_gateway.gateways where gateway_id = $1`,
    [place.gatewayId, place.serverId, status, new Date(Date.now() + endsInMs)],
  );
}

test('calls, changed tools and descriptions are counted for each gateway and server, for those who decide', async () => {
  const first = await gatewayWithServer('First');
  await gatewayWithServer('Quiet');
  await addApproval(first, 'pending', minute);
  await addApproval(first, 'pending', minute);
  await addApproval(first, 'pending', -minute);
  await addApproval(first, 'denied', minute);
  await db.query(
    `insert into agent_gateway.tool_pins (gateway_id, server_id, tool_name, hash, definition, pinned_at, changed_hash,
        changed_definition, changed_at)
      values ($1, $2, 'changed', 'a', '{}', now(), 'b', '{}', now()), ($1, $2, 'same', 'a', '{}', now(), null, null, null)`,
    [first.gatewayId, first.serverId],
  );
  await db.query(
    `insert into agent_gateway.description_findings (gateway_id, server_id, kind, name, hash, definition, issues, found_at,
        approved_at)
      values ($1, $2, 'tools', 'x', 'h', '{}', '[]', now(), null), ($1, $2, 'tools', 'y', 'h', '{}', '[]', now(), now())`,
    [first.gatewayId, first.serverId],
  );
  const expected = [
    {
      gateway_id: first.gatewayId,
      gateway_name: 'First',
      server_id: first.serverId,
      server_name: 'First server',
      calls: 2,
      calls_at_action_guard: 0,
      changed_tools: 1,
      descriptions: 1,
    },
  ];
  assert.deepEqual(await open('owner'), expected);
  assert.deepEqual(await open('administrator'), expected);
  assert.deepEqual(await open('colleague'), []);
  assert.deepEqual(await open('stranger'), []);
});
