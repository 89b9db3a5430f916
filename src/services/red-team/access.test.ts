import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { addTestColleague } from '#identity/test-people.ts';
import { openTestService } from './fixtures/service.ts';
import { agentPaths, startScriptedAgent } from './scripted-agent/server.ts';

const tasks = shippedTasks();
const [service, agent] = await Promise.all([
  openTestService(),
  startScriptedAgent({ persona: 'obedient', tasks }),
]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await agent[Symbol.asyncDispose]();
});
const { call, tokens, evaluate } = service;
const as = tokens.admin;
const endpoint = `${agent.url}${agentPaths.openai_responses}`;

const { body: registered } = await call('POST', '/api/agents', {
  as,
  body: { name: 'mine', endpoint, api_key: 'a-secret-of-the-agent', headers: { 'x-team': 'secret-header' } },
});
const run = await evaluate({ name: 'mine', agent_id: registered.agent_id, max_tasks: 6 });
const { body: listed } = await call('GET', `/api/results?run_id=${run.run_id}`, { as });
const resultId: string = listed.results[0].result_id;

async function report(runId: string) {
  const { body: job } = await call('POST', `/api/runs/${runId}/report`, { as, body: {} });
  for (;;) {
    const { body } = await call('GET', `/api/runs/reports/${job.job_id}`, { as });
    if (body.status === 'ready' || body.status === 'failed') return body;
    await sleep(50);
  }
}
const job = await report(run.run_id);

test('secrets of an agent are encrypted, and never answered', async () => {
  const answers = JSON.stringify([registered, (await call('GET', '/api/agents', { as })).body]);
  const stored = JSON.stringify(await service.db.query('select * from red_team.agents'));
  for (const text of [answers, stored])
    for (const secret of ['a-secret-of-the-agent', 'secret-header']) assert.ok(!text.includes(secret));
  assert.equal(registered.has_api_key, true);
});

test('every resource of another tenant answers 404, on every route', async () => {
  const stranger = tokens.stranger;
  const { evaluation_id: evaluationId, run_id: runId } = run;
  const routes: [Parameters<typeof call>[0], string, object?][] = [
    ['DELETE', `/api/agents/${registered.agent_id}`],
    ['GET', `/api/evaluations/${evaluationId}`],
    ['GET', `/api/evaluations/${evaluationId}/tasks`],
    ['GET', `/api/evaluations/${evaluationId}/sessions`],
    ['GET', `/api/evaluations/${evaluationId}/reports`],
    ['DELETE', `/api/evaluations/${evaluationId}`],
    ['POST', '/api/runs', { evaluation_id: evaluationId }],
    ['POST', `/api/runs/${runId}/start`],
    ['POST', `/api/runs/${runId}/cancel`],
    ['GET', `/api/runs/${runId}`],
    ['GET', `/api/runs/${runId}/status`],
    ['GET', `/api/runs/${runId}/events`],
    ['GET', `/api/sessions/${runId}/stats`],
    ['GET', `/api/results/${resultId}`],
    ['GET', `/api/results/${resultId}/trajectory`],
    ['PATCH', `/api/results/${resultId}`, { included_report: true }],
    ['POST', `/api/runs/${runId}/report`, {}],
    ['GET', `/api/runs/${runId}/report/${job.job_id}`],
    ['GET', `/api/runs/reports/${job.job_id}`],
    ['DELETE', `/api/runs/reports/${job.job_id}`],
    ['POST', '/api/evaluations', { name: 'x', agent_id: registered.agent_id }],
  ];
  for (const [method, path, body] of routes) {
    const { status } = await call(method, path, { as: stranger, ...(body && { body }) });
    assert.equal(status, 404, `${method} ${path}`);
  }
  const { body: deleted } = await call('POST', '/api/runs/bulk-delete', {
    as: stranger,
    body: { run_ids: [runId] },
  });
  assert.deepEqual(deleted, { deleted: [], not_found: [runId] });
  for (const [path, field] of [
    ['/api/agents', 'agents'],
    ['/api/evaluations', 'evaluations'],
    ['/api/evaluations/with-stats', 'evaluations'],
    ['/api/results', 'results'],
    ['/api/runs/report-jobs', 'jobs'],
  ] as const)
    assert.deepEqual((await call('GET', path, { as: stranger })).body[field], []);
});

test('a colleague sees nothing private, and what is shared may be read and run but not changed', async () => {
  const colleague = await addTestColleague(call, as);
  assert.equal((await call('GET', `/api/runs/${run.run_id}`, { as: colleague })).status, 404);
  const shared = await evaluate({
    name: 'shared',
    agent_id: registered.agent_id,
    max_tasks: 1,
    visibility: 'tenant',
  });
  assert.equal((await call('GET', `/api/runs/${shared.run_id}`, { as: colleague })).status, 200);
  assert.equal((await call('POST', `/api/runs/${shared.run_id}/cancel`, { as: colleague })).status, 403);
  const body = { evaluation_id: shared.evaluation_id };
  assert.equal((await call('POST', '/api/runs', { as: colleague, body })).status, 200);
  for (const path of [`/api/evaluations/${shared.evaluation_id}`, `/api/agents/${registered.agent_id}`])
    for (const [visibility, refusal] of [
      ['tenant', 403],
      ['private', 404],
    ] as const) {
      const changed = await call('PATCH', path, { as, body: { visibility } });
      assert.deepEqual([changed.status, changed.body.visibility], [200, visibility], path);
      const by = await call('PATCH', path, { as: colleague, body: { visibility: 'tenant' } });
      assert.equal(by.status, refusal, path);
    }
});

test('every operation needs a sign-in, except health', async () => {
  for (const path of ['/api/agents', '/api/evaluations', '/api/results', '/api/metadata/summary']) {
    const { status, headers } = await call('GET', path);
    assert.equal(status, 401);
    assert.match(String(headers['www-authenticate']), /^Bearer error="missing_auth"/);
  }
  for (const path of ['/health', '/api/health'])
    assert.deepEqual((await call('GET', path)).body.status, 'ok');
});

test('the MCP proxy takes no call without a key, and says what to do', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const nobody = await call('POST', '/sandbox/mcp', { body });
  assert.equal(nobody.status, 401);
  assert.match(nobody.body.error.message, /X-API-Key/);
  const bearer = await call('POST', '/sandbox/mcp', { as, body });
  assert.equal(bearer.status, 401);
  const wrong = await call('POST', '/sandbox/mcp', { key: 'blwk_wrong', body });
  assert.equal(wrong.status, 401);
  for (const { body: refused } of [nobody, wrong])
    assert.match(JSON.stringify(refused), /`bulwark keys create`/, 'this service makes no keys');
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  for (const [path, message] of [
    ['/sandbox/mcp', /No task is running for this API key/],
    ['/sandbox/mcp/s/unknown', /No running task has this session token/],
  ] as const) {
    const answer = await call('POST', path, { key: service.apiKey, body, headers });
    assert.match(JSON.stringify(answer.body), message);
  }
});

test('bad requests name their field', async () => {
  const refused = async (path: string, body: object, status: number, pattern: RegExp) => {
    const answer = await call('POST', path, { as, body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, pattern);
  };
  await refused('/api/agents', { endpoint }, 400, /'name' is required/);
  await refused('/api/agents', { name: 'a', endpoint: 'ftp://a' }, 422, /'endpoint'/);
  await refused('/api/agents', { name: 'a', endpoint: 'http://10.0.0.8/' }, 422, /'endpoint': .*private/);
  await refused('/api/agents', { name: 'a', endpoint: 'http://u:p@127.0.0.1/' }, 422, /'endpoint'.*password/);
  await refused('/api/agents', { name: 'a', endpoint, protocol: 'json' }, 422, /'template'/);
  await refused('/api/agents', { name: 'a', endpoint, headers: { host: 'b' } }, 422, /'headers.host'/);
  await refused('/api/agents', { name: 'mine', endpoint }, 409, /'name' "mine"/);
  await refused('/api/evaluations', { name: 'b' }, 400, /'agent_id' or 'agent_endpoint'/);
  const bad = { name: 'b', agent_endpoint: endpoint };
  await refused('/api/evaluations', { ...bad, domains: ['sea'] }, 422, /'domains\[0\]'/);
  await refused('/api/evaluations', { ...bad, task_ids: ['nothing'] }, 422, /No task matches/);
  await refused('/api/evaluations', { ...bad, name: 'mine' }, 409, /'name' "mine"/);
  await refused(`/api/runs/${run.run_id}/start`, {}, 409, /The run is completed/);
  await refused(`/api/runs/${run.run_id}/cancel`, {}, 409, /The run is completed/);
});

test('a report is a PDF, with starred cases, for download and preview', async () => {
  assert.equal(job.status, 'ready', job.error);
  const path = `/api/runs/${run.run_id}/report/${job.job_id}`;
  const download = await call('GET', path, { as });
  assert.equal(download.status, 200);
  assert.equal(download.headers['content-type'], 'application/pdf');
  assert.match(String(download.headers['content-disposition']), /^attachment/);
  assert.ok(String(download.body).startsWith('%PDF-'));
  const preview = await call('GET', `${path}?inline=true`, { as });
  assert.match(String(preview.headers['content-disposition']), /^inline/);
  const { body: starred } = await call('PATCH', `/api/results/${resultId}`, {
    as,
    body: { included_report: true },
  });
  assert.equal(starred.included_report, true);
  const { body: found } = await call('GET', `/api/results?included_report=true`, { as });
  assert.deepEqual(
    found.results.map((result: { result_id: string }) => result.result_id),
    [resultId],
  );
  const second = await report(run.run_id);
  assert.equal(second.status, 'ready', second.error);
  const { body: all } = await call('GET', `/api/evaluations/${run.evaluation_id}/reports`, { as });
  assert.equal(all.reports.length, 2);
  assert.equal((await call('DELETE', `/api/runs/reports/${second.job_id}`, { as })).status, 200);
  assert.equal((await call('GET', `/api/runs/reports/${second.job_id}`, { as })).status, 404);
});

test('facets count exactly the tasks that an evaluation gets', async () => {
  const { body: summary } = await call('GET', '/api/metadata/summary', { as });
  const { body: facets } = await call('GET', '/api/metadata/task-facets', { as });
  assert.equal(summary.total_tasks, tasks.length);
  const [domain = '', counts] = Object.entries<{ vectors: Record<string, number> }>(facets.domains)[0] ?? [];
  const [vector, count] = Object.entries(counts?.vectors ?? {})[0] ?? [];
  const body = { name: 'counted', agent_endpoint: endpoint, domains: [domain], vectors: [vector] };
  const { body: made } = await call('POST', '/api/evaluations', { as, body });
  assert.equal(made.total_tasks, count);
  assert.equal(made.agent_id, registered.agent_id);
  const { body: envs } = await call('GET', '/api/metadata/envs', { as });
  assert.ok(envs.environments.every(({ status }: { status: string }) => status === 'ready'));
  const { body: health } = await service.callPool('GET', '/health');
  assert.equal(health.status, 'ok');
  assert.equal((await service.callPool('GET', '/environments')).status, 401);
  const { body: pool } = await service.callPool('GET', '/environments', { as });
  assert.deepEqual([pool.leases, pool.waiting], [0, 0]);
});

test('a run is cancelled while its agent hangs, and before it is started', async () => {
  await using hanging = await startScriptedAgent({ persona: 'hangs', tasks });
  const body = {
    name: 'hanging',
    agent_endpoint: `${hanging.url}${agentPaths.openai_responses}`,
    max_tasks: 8,
  };
  const { body: made } = await call('POST', '/api/evaluations', { as, body });
  const create = () => call('POST', '/api/runs', { as, body: { evaluation_id: made.evaluation_id } });
  const { body: first } = await create();
  await call('POST', `/api/runs/${first.run_id}/start`, { as });
  for (let running = 0; running === 0; await sleep(20))
    running = (await call('GET', `/api/runs/${first.run_id}/status`, { as })).body.running;
  const { status, body: cancelled } = await call('POST', `/api/runs/${first.run_id}/cancel`, { as });
  assert.deepEqual([status, cancelled.status, cancelled.counts.cancelled], [200, 'cancelled', 8]);
  const { body: second } = await create();
  const { body: never } = await call('POST', `/api/runs/${second.run_id}/cancel`, { as });
  assert.deepEqual([never.status, never.counts.cancelled], ['cancelled', 8]);
  assert.equal((await call('POST', `/api/runs/${second.run_id}/start`, { as })).status, 409);
  const run_ids = [first.run_id, second.run_id];
  const { body: deleted } = await call('POST', '/api/runs/bulk-delete', { as, body: { run_ids } });
  assert.deepEqual(deleted.deleted, run_ids);
});

test('a run whose agent is not there fails, and says so', async () => {
  const gone = await evaluate({
    name: 'gone',
    agent_endpoint: 'http://127.0.0.1:9/v1/responses',
    max_tasks: 20,
  });
  assert.equal(gone.status, 'failed');
  assert.match(gone.error, /No connection/);
  assert.equal(gone.counts.cancelled, 20);
  const failed = async (since: string) =>
    (await call('GET', `/api/runs?status=failed&limit=1&since=${since}`, { as })).body;
  const found = await failed(gone.created_at);
  assert.deepEqual([found.total, found.runs[0].run_id], [1, gone.run_id]);
  assert.equal((await failed(new Date(Date.parse(gone.created_at) + 1).toISOString())).total, 0);
  assert.match((await failed('yesterday')).detail, /'since'/);
});

test('progress is streamed until the run ends', async () => {
  const { body: made } = await call('POST', '/api/runs', { as, body: { evaluation_id: run.evaluation_id } });
  await call('POST', `/api/runs/${made.run_id}/start`, { as });
  const { body: events } = await call('GET', `/api/runs/${made.run_id}/events`, { as });
  assert.match(String(events), /event: progress/);
  assert.match(String(events), /"status":"completed"/);
});
