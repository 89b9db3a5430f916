/**
 * Two processes of agent gateway and action guard on one PostgreSQL: a call waits in one, and is decided in the other; a
 * call whose process was killed is recognised by the one that is left.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { modernRequest } from '../fixtures/modern-request.ts';
import { startHttp } from '../fixtures/mcp-servers/start.ts';
import { startTogether, whyNot, type Together } from './together.ts';

const skip = await whyNot();
const upstream = skip === false ? await startHttp('./complete.ts') : undefined;
let together: Together;

before(async () => {
  if (skip !== false) return;
  // Nobody waits so long: what is answered was decided.
  const env = {
    BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32',
    BULWARK_AGENT_GATEWAY_APPROVAL_TIMEOUT_MS: '3600000',
  };
  together = await startTogether('agent-gateway', 2, env, 'action-guard');
});
after(async () => {
  upstream?.[Symbol.dispose]();
  if (skip === false) await together[Symbol.asyncDispose]();
});

const call: Together['call'] = (...args) => together.call(...args);
const guard: Together['callOther'] = (...args) => together.callOther(...args);

/** A running gateway whose calls of `echo` wait for that approval. */
async function open(approval: object) {
  const rule = {
    when: { is: 'tool', names: ['echo'] },
    requires: { is: 'approval', from: 'checked', ...approval },
    on_missing: 'ask',
  };
  const policy = await guard(0, 'POST', '/api/v1/policies/policy', {
    name: 'Held',
    rules: { only: { rule, severity: 'High' } },
  });
  const set = await guard(0, 'POST', '/api/v1/policies/sets', {
    name: 'Held',
    policy_ids: [policy.policy_id],
  });
  const server = await call(0, 'POST', '/api/mcp-servers', {
    name: 'Here',
    transport: 'http',
    connection_url: upstream?.url,
  });
  const { id } = await call(0, 'POST', '/api/gateways', {
    name: 'Held',
    action_guard_policy_id: set.policy_id,
  });
  await call(0, 'POST', `/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
  await call(0, 'POST', `/api/gateways/${id}/start`);
  return String(id);
}

/** The text of the answer to a call that is made at the first process. */
async function echo(gatewayId: string, message: string): Promise<string> {
  const url = `${together.urls[0]}/api/gateways/${gatewayId}/mcp`;
  const credential = { authorization: `Bearer ${together.token}` };
  const answer = await modernRequest(url, credential, 'tools/call', { name: 'echo', arguments: { message } });
  return answer.text();
}

/** The call that waits, as the second process sees it. */
async function held(gatewayId: string) {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(20)) {
    const { approvals } = await call(1, 'GET', `/api/gateways/${gatewayId}/approvals?status=pending`);
    if (approvals[0]?.waiting === true) return approvals[0];
  }
  throw new Error('the call is not held');
}

test('a call that waits in one process is released by a decision in the other', { skip }, async () => {
  const gatewayId = await open({ by: ['admin'] });
  const first = echo(gatewayId, 'by the guard');
  const { action_approval_id: there } = await held(gatewayId);
  await guard(1, 'POST', `/api/v1/approvals/${there}`, { decision: 'approve' });
  assert.match(await first, /by the guard/);
  const second = echo(gatewayId, 'by the gateway');
  const { id } = await held(gatewayId);
  await call(1, 'POST', `/api/gateways/${gatewayId}/approvals/${id}`, { decision: 'approve' });
  assert.match(await second, /by the gateway/);
  const third = echo(gatewayId, 'never');
  await guard(1, 'POST', `/api/v1/approvals/${(await held(gatewayId)).action_approval_id}`, {
    decision: 'deny',
  });
  assert.match(await third, /Not approved/);
});

test('a call that waited in a killed process cannot be decided, and is in the log', { skip }, async () => {
  const gatewayId = await open({});
  const lost = assert.rejects(echo(gatewayId, 'lost'));
  const { id } = await held(gatewayId);
  const path = `/api/gateways/${gatewayId}/approvals`;
  await together.kill(0);
  await lost;
  assert.equal((await held(gatewayId)).id, id, 'a process that was silent for a moment may live');
  // As if its heartbeats had stopped long ago. The process that is left says so again.
  await together.query(`update agent_gateway.processes set seen_at = now() - interval '36 seconds'`);
  for (const until = Date.now() + 30_000; ; await sleep(100)) {
    const { approvals } = await call(1, 'GET', `${path}?status=expired`);
    if (approvals[0]?.id === id) {
      assert.match(approvals[0].note, /process that held this call ended/);
      break;
    }
    assert.ok(Date.now() < until, 'it is recognised');
  }
  await assert.rejects(call(1, 'POST', `${path}/${id}`, { decision: 'approve' }), /409.*process that held/);
  const { calls } = await call(1, 'GET', `/api/gateways/${gatewayId}/calls?held=true`);
  assert.deepEqual(
    calls.map((one: Record<string, unknown>) => [one['approval_id'], one['outcome']]),
    [[id, 'approval_denied']],
  );
});
