/** Who registers agents, makes and deletes evaluations, sets of tasks and runs is in the audit trail. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { walkAuditedOperations } from '../../../test/fixtures/audited-operations.ts';
import { taskFile } from './fixtures/own-tasks.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, db } = service;
const walk = await walkAuditedOperations(call, tokens.admin);
const { change } = walk;

test('agents, sets of tasks, evaluations and runs, with their names and never the keys of agents', async () => {
  const key = 'sk-of-the-agent-77123';
  const agent = await change('POST', '/api/agents', {
    body: { name: 'Help desk', endpoint: 'http://127.0.0.1:9/v1/responses', api_key: key },
  });
  assert.deepEqual([agent.event, agent.details.name], ['red_team_agent_created', 'Help desk']);
  assert.deepEqual(agent.details.changes?.['has_secrets'], { old: null, new: true });
  const path = `/api/agents/${agent.body.agent_id}`;
  const shared = await change('PATCH', path, { body: { visibility: 'tenant' } });
  assert.deepEqual(shared.details.changes, { visibility: { old: 'private', new: 'tenant' } });

  const set = await change('POST', '/api/task-sets', { body: { name: 'House tasks', content: taskFile() } });
  assert.deepEqual([set.event, set.details.name], ['red_team_task_set_created', 'House tasks']);
  const body = { name: 'Own', agent_id: agent.body.agent_id, task_sets: [set.body.task_set_id] };
  const evaluation = await change('POST', '/api/evaluations', { body });
  assert.deepEqual([evaluation.event, evaluation.details.name], ['red_team_evaluation_created', 'Own']);
  const { evaluation_id } = evaluation.body;
  const of = `/api/evaluations/${evaluation_id}`;
  const open = await change('PATCH', of, { body: { visibility: 'tenant' } });
  assert.deepEqual(open.details.changes, { visibility: { old: 'private', new: 'tenant' } });
  const { body: run } = await call('POST', '/api/runs', { as: tokens.admin, body: { evaluation_id } });
  const runs = await change('POST', '/api/runs/bulk-delete', { body: { run_ids: [run.run_id] } });
  assert.deepEqual([runs.event, runs.details.name], ['red_team_run_deleted', 'Own']);
  assert.equal((await change('DELETE', of)).event, 'red_team_evaluation_deleted');
  const tasks = `/api/task-sets/${set.body.task_set_id}`;
  assert.equal((await change('DELETE', tasks)).event, 'red_team_task_set_deleted');
  assert.equal((await change('DELETE', path)).details.name, 'Help desk');
  const rows = await db.query('select details::text as details from identity.audit_events');
  assert.ok(rows.every(({ details }) => !String(details).includes(key)));
});

test('every changing operation is recorded, or here is why it is not', () => {
  const runs = 'Runs are logs of their own; the list of runs has them.';
  const reads = 'Changes nothing.';
  walk.assertComplete({
    createRun: runs,
    startRun: runs,
    cancelRun: runs,
    changeResult: 'A star for the report, which is made anew each time.',
    defendResult: reads,
    saveDefence: 'The action guard records the policy that is made.',
    createReport: 'A report is made of a run and changes nothing.',
    deleteReport: 'A report is made of a run and changes nothing.',
    previewEvaluation: reads,
    testAgent: reads,
  });
});
