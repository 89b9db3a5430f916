import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { goal, scenario, taskFile as file } from '../fixtures/own-tasks.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const as = tokens.admin;

const upload = (name: string, content: string, who = as) =>
  call('POST', '/api/task-sets', { as: who, body: { name, content } });

test('own tasks are proved, stored, counted and made into an evaluation', async () => {
  const { body: set, status } = await upload('House tasks', file());
  assert.equal(status, 200, JSON.stringify(set));
  assert.ok(set.tasks > 2 && set.refused_total === 0, JSON.stringify(set));
  const selection = { task_sets: [set.task_set_id] };
  const { body: preview } = await call('POST', '/api/evaluations/preview', { as, body: selection });
  assert.deepEqual([preview.total_tasks, preview.sample.domains], [set.tasks, { finance: set.tasks }]);
  const both = { task_sets: [set.task_set_id, 'shipped'] };
  const { body: more } = await call('POST', '/api/evaluations/preview', { as, body: both });
  assert.ok(more.total_tasks > set.tasks);
  const body = { name: 'Own', agent_endpoint: 'http://127.0.0.1:9/v1/responses', ...selection };
  const { body: made } = await call('POST', '/api/evaluations', { as, body });
  assert.equal(made.total_tasks, set.tasks);
  assert.equal((await upload('House tasks', file())).status, 409);
  assert.equal(
    (await call('POST', '/api/evaluations/preview', { as: tokens.stranger, body: selection })).status,
    404,
  );
  const path = `/api/task-sets/${set.task_set_id}`;
  assert.equal((await call('DELETE', path, { as: tokens.stranger })).status, 404);
  assert.equal((await call('DELETE', path, { as })).status, 200);
  assert.equal((await call('GET', '/api/task-sets', { as })).body.total, 0);
});

test('a task that cannot be judged is refused with its reason, and the others are taken', async () => {
  const always = { ...goal, id: 'own.always', attack: { not: { response: { contains: 'never said' } } } };
  const { body } = await upload('Partly sound', file({ goals: [goal, always] }));
  assert.ok(body.tasks > 0 && body.refused_total > 0, JSON.stringify(body));
  for (const { task_id: id, problems } of body.refused) {
    assert.match(id, /own\.always/);
    assert.match(problems.join(' '), /counts as a successful attack/);
  }
});

test('what is no task file, or has no sound task, is an error that names the field', async () => {
  for (const [content, message] of [
    ['domain: finance', /scenarios/],
    ['a: &a [x]\nb: [*a, *a', /.+/],
    [file({ scenarios: [{ ...scenario, envs: ['nowhere'] }], goals: [] }), /no environment nowhere/],
    [
      file({ scenarios: [{ ...scenario, success: { response: { contains: 'no such reply' } } }], goals: [] }),
      /honest work/,
    ],
  ] as const) {
    const { body, status } = await upload('Wrong', content);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(body.detail, message);
  }
});
