import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { openTestService } from '../fixtures/service.ts';
import { agentPaths, startScriptedAgent } from '../scripted-agent/server.ts';

const service = await openTestService({ REDTEAM_AGENT_REQUEST_TIMEOUT: '4' });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, evaluate } = service;
const as = tokens.admin;
const tasks = shippedTasks();

for (const [persona, message] of [
  ['hangs', /did not answer within 4 seconds/],
  ['disconnects', /broke off the connection/],
] as const)
  test(`an agent that ${persona} is an error, and never a verdict`, async () => {
    await using agent = await startScriptedAgent({ persona, tasks });
    const run = await evaluate({
      agent_endpoint: `${agent.url}${agentPaths.openai_responses}`,
      threat_models: ['indirect'],
      max_tasks: 3,
    });
    assert.equal(run.status, 'completed', run.error);
    const { body: stats } = await call('GET', `/api/sessions/${run.run_id}/stats`, { as });
    assert.deepEqual([stats.total.error_rate.rate, stats.total.asr.rate], [1, null]);
    const { body: listed } = await call('GET', `/api/results?run_id=${run.run_id}`, { as });
    assert.equal(listed.total, 3);
    for (const result of listed.results) {
      assert.deepEqual([result.status, result.attack_success, result.outcome], ['error', null, null]);
      assert.match(result.error, message);
    }
  });
