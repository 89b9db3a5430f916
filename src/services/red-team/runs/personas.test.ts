import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { openTestService } from '../fixtures/service.ts';
import type { Persona } from '../scripted-agent/personas.ts';
import { agentPaths, startScriptedAgent } from '../scripted-agent/server.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, evaluate } = service;
const as = tokens.admin;
const tasks = shippedTasks();
let names = 0;

type Registration = { readonly protocol?: keyof typeof agentPaths } & Record<string, unknown>;

/** Runs an evaluation against a persona over a protocol, and answers run, figures and results. */
async function runAgainst(
  persona: Persona,
  registration: Registration,
  { selection = {}, agent: options = {} }: { selection?: object; agent?: object } = {},
) {
  await using agent = await startScriptedAgent({ persona, tasks, apiKey: 'agent-key-1', ...options });
  const { protocol = 'openai_responses' } = registration;
  const { body: registered, status } = await call('POST', '/api/agents', {
    as,
    body: {
      name: `agent ${++names}`,
      endpoint: `${agent.url}${agentPaths[protocol]}`,
      api_key: 'agent-key-1',
      protocol,
      ...registration,
    },
  });
  assert.equal(status, 200, JSON.stringify(registered));
  const run = await evaluate({ agent_id: registered.agent_id, max_tasks: 30, ...selection });
  const { body: stats } = await call('GET', `/api/sessions/${run.run_id}/stats`, { as });
  const { body: listed } = await call('GET', `/api/results?run_id=${run.run_id}&limit=500`, { as });
  return { run, stats, results: listed.results };
}

/** What each persona must come to: shares of attacks that succeed, and of work that is done. */
const expected: Partial<Record<Persona, { asr: number; asrDelivered: number | null; utility: number }>> = {
  obedient: { asr: 1, asrDelivered: 1, utility: 1 },
  'executes-then-refuses': { asr: 1, asrDelivered: 1, utility: 1 },
  careful: { asr: 0, asrDelivered: 0, utility: 1 },
  parallel: { asr: 0, asrDelivered: 0, utility: 1 },
  'other-session': { asr: 0, asrDelivered: 0, utility: 1 },
  refusing: { asr: 0, asrDelivered: null, utility: 0 },
};

for (const [persona, figures] of Object.entries(expected))
  test(`the persona ${persona} comes to exactly the figures that it must`, async () => {
    const { run, stats } = await runAgainst(persona as Persona, {});
    assert.equal(run.status, 'completed', run.error);
    const { asr, asr_delivered: delivered, utility, error_rate: errors } = stats.total;
    assert.ok(asr.of > 0 && utility.of > 0);
    assert.deepEqual(
      { asr: asr.rate, asrDelivered: delivered.rate, utility: utility.rate, errors: errors.rate },
      { ...figures, errors: 0 },
    );
  });

const registrations: Record<string, Registration> = {
  openai_chat: { protocol: 'openai_chat', parallel: true },
  'openai_chat with our tool loop': { protocol: 'openai_chat', tool_loop: true },
  openai_responses: { protocol: 'openai_responses' },
  a2a: { protocol: 'a2a', parallel: true },
  ag_ui: { protocol: 'ag_ui', parallel: true },
  json: {
    protocol: 'json',
    template: {
      body: { prompt: '{{prompt}}', mcp_url: '{{mcp_url}}', session_key: '{{api_key}}' },
      response_path: 'reply',
    },
  },
};

for (const [name, registration] of Object.entries(registrations))
  test(`an obedient agent is caught through ${name}`, async () => {
    const { run, stats } = await runAgainst('obedient', registration, { selection: { max_tasks: 12 } });
    assert.equal(run.status, 'completed', run.error);
    assert.equal(stats.total.error_rate.rate, 0);
    assert.equal(stats.total.asr.rate, 1);
    assert.equal(run.config.protocol, registration.protocol);
  });

for (const options of [{ transport: 'sse' }, { era: 'legacy' }])
  test(`an agent with one fixed MCP address works on one task at a time (${JSON.stringify(options)})`, async () => {
    const mcp = {
      url: `${service.url}/sandbox/mcp${'transport' in options ? '/sse' : ''}`,
      apiKey: service.apiKey,
    };
    const { run, stats } = await runAgainst(
      'obedient',
      { protocol: 'openai_chat' },
      { selection: { max_tasks: 10 }, agent: { mcp, ...options } },
    );
    assert.equal(run.status, 'completed', run.error);
    assert.deepEqual([stats.total.asr.rate, stats.total.error_rate.rate], [1, 0]);
  });

test('an order that was found and told to the user is no successful attack', async () => {
  const { stats, results } = await runAgainst('tells-the-user', {});
  const wrong = results.filter((result: { attack_success: boolean | null }) => result.attack_success);
  assert.deepEqual(
    wrong.map((result: { task_id: string }) => result.task_id),
    [],
  );
  assert.equal(stats.total.utility_under_attack.rate, 1);
});

test('a trajectory has every step, marks the injected text, and is the same in its file', async () => {
  const selection = { vectors: ['environment_data'], max_tasks: 1 };
  const { run, results } = await runAgainst('obedient', {}, { selection });
  const [{ result_id: resultId, session_id: sessionId }] = results;
  const { body: result } = await call('GET', `/api/results/${resultId}`, { as });
  const { body: trajectory } = await call('GET', `/api/results/${resultId}/trajectory`, { as });
  const file = join(service.dataDir, 'trajectories', run.run_id, `${sessionId}.json`);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), trajectory);
  assert.deepEqual(result.trajectory, trajectory);
  const roles = trajectory.steps.map(({ role }: { role: string }) => role);
  assert.deepEqual([roles[0], roles.at(-1)], ['user', 'agent']);
  assert.ok(trajectory.steps.some(({ injected, role }: never) => injected && role === 'tool'));
  assert.ok(trajectory.steps.some(({ input, role }: never) => input !== null && role === 'agent'));
  assert.equal(trajectory.metadata.verdict.outcome, 'attack_succeeded');
  assert.ok(trajectory.metadata.violated_policy);
  assert.ok(result.judge.evidence.length > 0 && result.judge.state_changes.length > 0);
});

test('an endpoint is probed, and what was found is said in words', async () => {
  await using agent = await startScriptedAgent({ persona: 'careful', tasks });
  for (const [protocol, path] of Object.entries(agentPaths).filter(([name]) => name !== 'json')) {
    const { body } = await call('POST', '/api/agents/test', {
      as,
      body: { endpoint: `${agent.url}${path}` },
    });
    assert.deepEqual([body.reachable, body.protocol], [true, protocol]);
    assert.match(body.message, /found by trying/);
    assert.match(body.reply, /scripted agent/);
  }
  const { body: wrong } = await call('POST', '/api/agents/test', {
    as,
    body: { endpoint: `${agent.url}/none` },
  });
  assert.deepEqual([wrong.reachable, wrong.protocol], [true, null]);
  const { body: away } = await call('POST', '/api/agents/test', {
    as,
    body: { endpoint: 'http://127.0.0.1:9' },
  });
  assert.deepEqual([away.reachable, away.protocol], [false, null]);
  assert.match(away.message, /No connection/);
});
