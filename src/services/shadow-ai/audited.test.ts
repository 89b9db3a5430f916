/** Who changes which AI tools are allowed, which rules hold and where telemetry comes from is in the audit trail. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { walkAuditedOperations } from '../../../test/fixtures/audited-operations.ts';
import { openTestService } from './fixtures/service.ts';
import { startSimulator } from './simulator/simulator.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, db } = service;
const walk = await walkAuditedOperations(call, tokens.admin);
const { change } = walk;
const api = '/api/v1/shadow-ai';

test('tools that are sanctioned, rules, notices and connections, with old and new values', async () => {
  const { body: listed } = await call('GET', '/api/v1/rules', { as: tokens.admin });
  const [rule, other] = listed.rules;
  const off = await change('PATCH', `/api/v1/rules/${rule.id}`, { body: { enabled: false } });
  assert.equal(off.event, 'shadow_ai_rules_changed');
  assert.deepEqual(off.details.changes, { [`${rule.id} enabled`]: { old: true, new: false } });
  await change('PUT', '/api/v1/rules/bulk', { body: { rules: [{ rule_id: other.id, enabled: false }] } });

  const tool = `${api}/allowed-tools/${rule.id}`;
  const allowed = await change('PUT', tool, { body: { owner: 'IT', reason: 'Has a contract.' } });
  assert.deepEqual([allowed.event, allowed.details['id']], ['shadow_ai_tool_allowed', rule.id]);
  const longer = await change('PUT', tool, { body: { owner: 'Finance', reason: 'Has a contract.' } });
  assert.deepEqual(longer.details.changes, { owner: { old: 'IT', new: 'Finance' } });
  const gone = await change('DELETE', tool);
  assert.deepEqual(
    [gone.event, gone.details.changes?.['owner']],
    ['shadow_ai_tool_disallowed', { old: 'Finance', new: null }],
  );
  const notices = { new_tools: true, min_severity: 'HIGH', mail_to: ['soc@example.com'], webhook_url: null };
  const told = await change('PUT', `${api}/notices`, { body: notices });
  assert.deepEqual(told.details.changes?.['min_severity'], { old: null, new: 'HIGH' });

  const saas = { host: 'https://127.0.0.1:9', user: 'auditor', password: 'saas-Password-77aa!' };
  const instance = await change('PUT', `${api}/saas-config`, { body: saas });
  assert.deepEqual(instance.details.changes?.['user'], { old: null, new: 'auditor' });
  await using simulator = await startSimulator({ as: 'edr-a', events: [] });
  const connector = await change('PUT', `${api}/config`, { body: simulator.config });
  assert.equal(connector.event, 'shadow_ai_connector_changed');
  assert.ok(Object.keys(connector.details.changes ?? {}).length > 0);
  const rows = await db.query('select details::text as details from identity.audit_events');
  const secrets = [saas.password, simulator.config.credentials['client_secret'] ?? 'none'];
  for (const secret of secrets) assert.ok(rows.every(({ details }) => !String(details).includes(secret)));
});

test('every changing operation is recorded, or here is why it is not', () => {
  walk.assertComplete({
    testConnector: 'Asks a source and keeps nothing.',
    syncConnector: 'Asks a source now rather than later.',
    allowToolOfDetection: 'As allowTool, by the same function, for the tool of a detection.',
    evaluateAllDetections: 'Judges kept telemetry again by the rules that hold.',
    pushTelemetry: 'Telemetry is what is judged.',
    testNotices: 'Sends a notice that says it is a test.',
  });
});
