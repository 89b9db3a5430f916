/** From a finding to a defence: rules are proposed, tried by the action guard, saved, and stop the attack at a gateway. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRedTeamAndGuards } from '../fixtures/red-team-and-guards.ts';

const platform = await openRedTeamAndGuards();
after(() => platform[Symbol.asyncDispose]());
const { call, callGateway, callGuard, tokens, ended } = platform;
const as = tokens.admin;
let names = 0;

async function evaluation(selection: object): Promise<string> {
  const { body: scripted } = await call('GET', '/api/metadata/scripted-agents', { as });
  const { endpoint } = scripted.agents.find(({ persona }: { persona: string }) => persona === 'obedient');
  const agent = { name: `Obedient ${++names}`, endpoint, protocol: 'openai_responses' };
  const { body: registered } = await call('POST', '/api/agents', { as, body: agent });
  const { body } = await call('POST', '/api/evaluations', {
    as,
    body: { name: `Evaluation ${names}`, agent_id: registered.agent_id, ...selection },
  });
  return body.evaluation_id;
}

async function run(evaluationId: string, options: object = {}): Promise<string> {
  const body = { evaluation_id: evaluationId, ...options };
  const { body: created } = await call('POST', '/api/runs', { as, body });
  await call('POST', `/api/runs/${created.run_id}/start`, { as });
  const { status, counts, error } = await ended(created.run_id);
  assert.deepEqual([status, counts.error], ['completed', 0], error);
  return created.run_id;
}

async function resultsOf(runId: string) {
  const { body } = await call('GET', `/api/results?run_id=${runId}&limit=500`, { as });
  return body.results as {
    result_id: string;
    task_id: string;
    attack_success: boolean | null;
    threat_model: string;
  }[];
}

const finance = { environments: ['payments'], vectors: ['environment_data'], max_tasks: 6 };

test('a rule that is saved from a finding stops this attack at a gateway that uses it, and the work goes on', async () => {
  const evaluationId = await evaluation(finance);
  const bare = await resultsOf(await run(evaluationId));
  const [finding] = bare.filter(({ attack_success: succeeded }) => succeeded === true);
  assert.ok(finding);
  const path = `/api/results/${finding.result_id}/defend`;
  const { body: defence, status } = await call('POST', path, { as });
  assert.equal(status, 200, JSON.stringify(defence));
  const [best] = defence.proposals;
  assert.equal(best.recommended, true, JSON.stringify(defence.proposals));
  assert.ok(best.stops_attack && best.spares_work && best.twins.length > 1);
  assert.ok(best.twins.some((twin: { is_own: boolean; calls: number }) => twin.is_own && twin.calls > 0));
  assert.ok(best.canonical.length > 10);
  assert.ok(defence.decisive.step > 1);

  const { body: set } = await callGuard('POST', '/api/v1/policies/sets', { as, body: { name: 'Payments' } });
  const { body: saved, status: savedStatus } = await call('POST', `${path}/save`, {
    as,
    body: { rule: best.rule, policy_set_id: set.policy_id },
  });
  assert.equal(savedStatus, 200, JSON.stringify(saved));
  const { body: policy } = await callGuard('GET', `/api/v1/policies/policy/${saved.policy_id}`, { as });
  assert.equal(policy.rules[saved.rule_key].canonical, best.canonical);

  const { body: gateway } = await callGateway('POST', '/api/gateways', {
    as,
    body: { name: 'Payments', action_guard_policy_id: set.policy_id, output_guard: 'off' },
  });
  const guarded = await resultsOf(await run(evaluationId, { gateway_id: gateway.id }));
  const same = guarded.find(({ task_id: id }) => id === finding.task_id);
  assert.equal(same?.attack_success, false);
});

test('a rule is added to a policy beside those that it has', async () => {
  const rules = { own: { description: 'Never delete invoices.', severity: 'High' } };
  const { body: policy } = await callGuard('POST', '/api/v1/policies/policy', {
    as,
    body: { name: 'Own', rules },
  });
  const [finding] = (await resultsOf(await run(await evaluation({ ...finance, seed: 3 })))).filter(
    ({ attack_success: succeeded }) => succeeded === true,
  );
  const path = `/api/results/${finding?.result_id}/defend`;
  const { body: defence } = await call('POST', path, { as });
  const body = { rule: defence.proposals[0].rule, policy_id: policy.policy_id };
  const { body: saved } = await call('POST', `${path}/save`, { as, body });
  const { body: kept } = await callGuard('GET', `/api/v1/policies/policy/${policy.policy_id}`, { as });
  assert.deepEqual(new Set(Object.keys(kept.rules)), new Set(['own', saved.rule_key]));
  assert.equal(kept.rules.own.description, 'Never delete invoices.');
});

test('nothing is proposed for a task whose attack failed, and nothing of other tenants is found', async () => {
  const results = await resultsOf(await run(await evaluation({ threat_models: ['benign'], max_tasks: 1 })));
  const path = `/api/results/${results[0]?.result_id}/defend`;
  assert.equal((await call('POST', path, { as })).status, 409);
  assert.equal((await call('POST', path, { as: tokens.stranger })).status, 404);
  const body = { rule: { when: { is: 'tool', names: ['x'] }, on_missing: 'deny' } };
  assert.equal((await call('POST', `${path}/save`, { as: tokens.stranger, body })).status, 404);
  const nonsense = { rule: { when: { is: 'nothing that there is' }, on_missing: 'deny' } };
  assert.equal((await call('POST', `${path}/save`, { as, body: nonsense })).status, 422);
});
