/** What one service refers to in another: it is checked when it is saved, and kept while it is used. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeTestDatabase, type TestDatabaseSettings } from '#base/db/testing.ts';
import { serve } from '../faults/serve.ts';

type Served = Awaited<ReturnType<typeof serve>>;

let database: TestDatabaseSettings;
let served: Served;
before(async () => {
  database = await makeTestDatabase();
  served = await serve(['agent-gateway', 'action-guard', 'policy-guard'], database.settings);
});
after(async () => {
  served.child.kill('SIGKILL');
  await database[Symbol.asyncDispose]();
});

async function ask(service: string, method: string, path: string, body?: object) {
  const response = await fetch(`${served.urls.get(service)}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${served.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

test('a policy set that a gateway uses is not deleted', async () => {
  const set = await ask('action-guard', 'POST', '/api/v1/policies/sets', { name: 'Used' });
  const setId = set.body.policy_id;
  const gateway = await ask('agent-gateway', 'POST', '/api/gateways', {
    name: 'Orders',
    action_guard_policy_id: setId,
  });
  assert.equal(gateway.status, 201);
  const remove = () => ask('action-guard', 'DELETE', `/api/v1/policies/sets/${setId}`);
  const refused = await remove();
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /used by the gateway "Orders"/);
  const path = `/api/gateways/${gateway.body.id}`;
  const problems = async () => (await ask('agent-gateway', 'GET', `${path}/status`)).body.problems;
  assert.deepEqual(await problems(), []);

  await ask('agent-gateway', 'PATCH', path, { action_guard_policy_id: null });
  assert.equal((await remove()).status, 200);
  const again = await ask('agent-gateway', 'PATCH', path, { action_guard_policy_id: setId });
  assert.equal(again.status, 404);
});

test('an alert about a guard, policy set, gateway or service that does not exist is refused', async () => {
  const gateway = await ask('agent-gateway', 'POST', '/api/gateways', { name: 'Watched' });
  const make = (measure: string, subject: string | null, service = 'agent-gateway') =>
    ask(service, 'POST', '/api/v1/alerts/rules', { name: 'Rule', measure, subject, threshold: 1 });
  for (const measure of ['refused_calls', 'blocked_actions', 'flagged_texts', 'service_errors']) {
    const { status, body } = await make(measure, 'gw_nope');
    assert.equal(status, 422, measure);
    assert.match(body.detail, /^'subject'/);
  }
  const { status, body: rule } = await make('refused_calls', gateway.body.id, 'policy-guard');
  assert.ok(status < 300, JSON.stringify(rule));
  assert.ok((await make('blocked_actions', 'agp_default')).status < 300);
  assert.ok((await make('service_errors', 'action_guard')).status < 300);
  const guard = await ask('policy-guard', 'POST', '/api/guards', {
    name: 'Support chat',
    policy_group_uuids: ['00000000-0000-4000-8000-000000000009'],
  });
  const ofGuard = await make('flagged_texts', guard.body.guard_uuid);
  assert.ok(ofGuard.status < 300, JSON.stringify(ofGuard.body));
  assert.ok((await make('flagged_texts', null)).status < 300);
  const path = `/api/v1/alerts/rules/${rule.rule_id}`;
  const replaced = await ask('agent-gateway', 'PUT', path, {
    name: 'Rule',
    measure: 'refused_calls',
    subject: 'gw_gone',
    threshold: 1,
  });
  assert.equal(replaced.status, 422);
});
