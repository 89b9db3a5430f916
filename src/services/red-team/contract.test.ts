/** Operations, defaults and limits of the contract that no test of a feature goes through. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { listenHere } from '#base/http/listen.ts';
import type { FrameworkRef } from '#findings/finding.ts';
import { findEntry } from '#findings/frameworks.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { password } from '#identity/test-people.ts';
import { taskFile } from './fixtures/own-tasks.ts';
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
const run = await evaluate({ name: 'all kinds', agent_endpoint: endpoint, max_tasks: 24 });

interface Result {
  readonly result_id: string;
  readonly [field: string]: string | boolean | null;
}
const list = async (query: string): Promise<Result[]> =>
  (await call('GET', `/api/results?limit=500&${query}`, { as })).body.results;

test('signing in gives a token of a tenant, and a refresh token that rotates and lasts seven days', async () => {
  const { status, body } = await call('POST', '/auth-api/api/v1/auth/login', {
    body: { username: 'admin', password },
  });
  assert.equal(status, 200, JSON.stringify(body));
  const payload = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  assert.equal(typeof payload(body.access_token)['tenant_name'], 'string');
  const refreshed = await call('POST', '/auth-api/api/v1/auth/refresh', {
    body: { refresh_token: body.refresh_token },
  });
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
  assert.notEqual(refreshed.body.access_token, undefined);
  const [session] = await service.db.query<{ days: number }>(
    'select extract(epoch from max(expires_at) - now()) / 86400 as days from identity.refresh_tokens',
  );
  assert.ok(Math.abs(Number(session?.days) - 7) < 0.1, JSON.stringify(session));
  for (const token of ['none', body.refresh_token]) {
    const refused = await call('POST', '/auth-api/api/v1/auth/refresh', { body: { refresh_token: token } });
    assert.equal(refused.status, 401);
  }
});

test('metadata: nine categories, the threat models, eight domains, addresses to paste', async () => {
  const get = async (name: string) => (await call('GET', `/api/metadata/${name}`, { as })).body;
  const { risk_categories: categories } = await get('risk-categories');
  assert.deepEqual(
    categories.map(({ id }: { id: string }) => id),
    Array.from({ length: 9 }, (_, at) => `RT-${at + 1}`),
  );
  for (const { id, frameworks } of categories) {
    for (const list of ['owasp-agentic', 'owasp-llm', 'mitre-atlas'])
      assert.ok(
        frameworks.some(({ framework }: FrameworkRef) => framework === list),
        `${id} has no entry of ${list}`,
      );
    for (const { title, ...entry } of frameworks) assert.equal(title, findEntry(entry)?.title, entry.id);
  }
  const ids = (items: { id: string }[]) => items.map(({ id }) => id);
  assert.deepEqual(ids((await get('threat-models')).threat_models), ['benign', 'direct', 'indirect']);
  assert.deepEqual(
    new Set(ids((await get('domains')).domains)),
    new Set(['crm', 'communication', 'code', 'finance', 'customer_service', 'os', 'travel', 'workflow']),
  );
  assert.equal((await get('envs')).environments.length, 19);
  const config = await get('mcp-config');
  assert.deepEqual(
    [config.streamable_http_url, config.sse_url, config.header],
    [`${service.url}/sandbox/mcp`, `${service.url}/sandbox/mcp/sse`, 'X-API-Key'],
  );
});

test('a run has the defaults of the settings: five tasks at a time, ten minutes for an agent', async () => {
  const { body } = await call('GET', `/api/runs/${run.run_id}`, { as });
  const { concurrency, agent_timeout_seconds: timeout, adaptive_budget: budget } = body.config;
  assert.deepEqual([concurrency, timeout, budget], [5, 600, 0]);
  assert.deepEqual([body.status, body.counts.total, body.error], ['completed', 24, null]);
  for (const [field, value] of [
    ['concurrency', 0],
    ['concurrency', 257],
    ['adaptive_budget', -1],
    ['adaptive_budget', 1001],
  ] as const) {
    const refused = await call('POST', '/api/runs', {
      as,
      body: { evaluation_id: run.evaluation_id, [field]: value },
    });
    assert.equal(refused.status, 422);
    assert.match(refused.body.detail, new RegExp(`'${field}'`));
  }
});

test("an agent's sandbox key must be a key of the caller's own, whatever form the id has", async () => {
  for (const key of ['nope', '0190a0f0-0000-7000-8000-000000000000']) {
    const body = { name: 'keyed', endpoint, sandbox_key_id: key };
    const refused = await call('POST', '/api/agents', { as, body });
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
    assert.match(refused.body.detail, /'sandbox_key_id' must be the id of an API key of your own/);
  }
});

test('runs and reports have the shape of all long-running work, and reports tell their progress', async () => {
  const { body } = await call('GET', `/api/runs/${run.run_id}`, { as });
  assert.deepEqual(
    [body.id, body.kind, body.progress],
    [run.run_id, 'red_team', { done: 24, total: 24, step: null }],
  );
  const { body: asked } = await call('POST', `/api/runs/${run.run_id}/report`, { as, body: {} });
  assert.deepEqual([asked.id, asked.kind], [asked.job_id, 'red_team_report']);
  const events = await call('GET', `/api/runs/reports/${asked.job_id}/events`, { as });
  assert.match(String(events.body), /event: progress\ndata: .*"status":"ready"/);
  const { body: ready } = await call('GET', `/api/runs/reports/${asked.job_id}`, { as });
  assert.deepEqual(ready.progress, { done: 1, total: 1, step: null });
  assert.ok(ready.created_at <= ready.started_at && ready.started_at <= ready.finished_at);
});

test('agents and reports are paged, with the number of all', async () => {
  for (const name of ['first', 'second', 'third'])
    await call('POST', '/api/agents', { as, body: { name, endpoint } });
  const agents = async (query: string) => (await call('GET', `/api/agents?${query}`, { as })).body;
  const all = await agents('');
  assert.deepEqual((await agents('limit=1&offset=1')).agents, [all.agents[1]]);
  assert.equal((await agents('limit=1')).total, all.agents.length);
  await call('POST', `/api/runs/${run.run_id}/report`, { as, body: {} });
  const path = `/api/evaluations/${run.evaluation_id}/reports`;
  const { body: page } = await call('GET', `${path}?limit=1`, { as });
  assert.equal(page.reports.length, 1);
  assert.ok(page.total > 1);
  const { body: jobs } = await call('GET', '/api/runs/report-jobs?limit=1', { as });
  assert.ok(jobs.jobs.length <= 1 && jobs.total >= jobs.jobs.length);
});

test('an address that must not be called is refused by the name of its field', async () => {
  const body = { name: 'private', agent_endpoint: 'http://10.1.1.1/' };
  const refused = await call('POST', '/api/evaluations', { as, body });
  assert.equal(refused.status, 422);
  assert.match(refused.body.detail, /^'agent_endpoint': /);
});

test('an agent that redirects is told where to', async () => {
  const server = createServer((_, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const url = await listenHere(server, { service: 'the redirecting agent', port: 0, portSetting: '' });
  const { body } = await call('POST', '/api/agents/test', { as, body: { endpoint: url, protocol: 'a2a' } });
  server.close();
  assert.match(body.message, /answered 302: it redirects to \/elsewhere/);
});

test('every filter of results answers exactly what it names', async () => {
  const all = await list(`run_id=${run.run_id}`);
  assert.equal(all.length, 24);
  for (const field of ['domain', 'threat_model', 'risk_category', 'task_type', 'vector', 'status'])
    for (const value of new Set(all.map((result) => result[field]).filter((each) => each !== null))) {
      const found = await list(`run_id=${run.run_id}&${field}=${value}`);
      assert.deepEqual(
        found.map(({ result_id: id }) => id),
        all.filter((result) => result[field] === value).map(({ result_id: id }) => id),
        `${field}=${value}`,
      );
    }
  for (const value of [true, false])
    assert.equal(
      (await list(`evaluation_id=${run.evaluation_id}&attack_success=${value}`)).length,
      all.filter(({ attack_success: success }) => success === value).length,
    );
  for (const query of ['domain=sea', 'status=done', 'attack_success=maybe', 'limit=0', 'limit=501'])
    assert.equal((await call('GET', `/api/results?${query}`, { as })).status, 422, query);
});

test('an evaluation lists its tasks and runs; a star is given and taken back', async () => {
  const path = `/api/evaluations/${run.evaluation_id}`;
  const { body: evaluation } = await call('GET', path, { as });
  assert.deepEqual([evaluation.name, evaluation.total_tasks], ['all kinds', 24]);
  const { body: listed } = await call('GET', `${path}/tasks?limit=5&offset=20`, { as });
  assert.deepEqual([listed.tasks.length, listed.total], [4, 24]);
  const { body: sessions } = await call('GET', `${path}/sessions`, { as });
  assert.deepEqual(
    sessions.runs.map(({ run_id: id }: { run_id: string }) => id),
    [run.run_id],
  );
  const { body: stats } = await call('GET', '/api/evaluations/with-stats', { as });
  assert.deepEqual([stats.evaluations[0].runs, stats.evaluations[0].rates.asr.rate], [1, 1]);
  const [first] = await list(`run_id=${run.run_id}`);
  for (const included of [true, false]) {
    const { status, body } = await call('PATCH', `/api/results/${first?.result_id}`, {
      as,
      body: { included_report: included },
    });
    assert.deepEqual([status, body.included_report], [200, included]);
  }
  const refused = await call('PATCH', `/api/results/${first?.result_id}`, {
    as,
    body: { included_report: 'yes' },
  });
  assert.equal(refused.status, 422);
});

test('a report shows three failures of each category unless it is told otherwise', async () => {
  const path = `/api/runs/${run.run_id}/report`;
  const { body: job } = await call('POST', path, { as, body: {} });
  assert.equal(job.failure_cases_per_category, 3);
  assert.ok(['queued', 'rendering'].includes(job.status), job.status);
  for (const value of [-1, 101, 1.5]) {
    const body = { failure_cases_per_category: value };
    assert.equal((await call('POST', path, { as, body })).status, 422);
  }
});

test('what is not in another tenant’s reach: comparisons, rules, previews of events, own tasks', async () => {
  const stranger = tokens.stranger;
  const [first] = await list(`run_id=${run.run_id}`);
  const { body: set } = await call('POST', '/api/task-sets', {
    as,
    body: { name: 'own', content: taskFile({}) },
  });
  for (const [method, path] of [
    ['GET', `/api/runs/${run.run_id}/compare/${run.run_id}`],
    ['POST', `/api/results/${first?.result_id}/defend`],
    ['DELETE', `/api/task-sets/${set.task_set_id}`],
  ] as const)
    assert.equal((await call(method, path, { as: stranger })).status, 404, path);
  const { body: sets } = await call('GET', '/api/task-sets', { as: stranger });
  assert.equal(sets.total, 0);
});

test('what is deleted is found no more, and a deleted agent leaves its evaluations as they are', async () => {
  const { body: registered } = await call('POST', '/api/agents', { as, body: { name: 'short', endpoint } });
  const made = await evaluate({ name: 'to delete', agent_id: registered.agent_id, max_tasks: 2 });
  assert.equal((await call('DELETE', `/api/agents/${registered.agent_id}`, { as })).status, 200);
  assert.equal((await call('DELETE', `/api/agents/${registered.agent_id}`, { as })).status, 404);
  const path = `/api/evaluations/${made.evaluation_id}`;
  assert.equal((await call('GET', path, { as })).body.agent_endpoint, endpoint);
  assert.equal((await call('DELETE', path, { as })).status, 200);
  for (const gone of [
    path,
    `${path}/tasks`,
    `/api/runs/${made.run_id}`,
    `/api/sessions/${made.run_id}/stats`,
  ])
    assert.equal((await call('GET', gone, { as })).status, 404, gone);
  assert.deepEqual(await list(`run_id=${made.run_id}`), []);
  // Its name is free again.
  const again = await call('POST', '/api/evaluations', {
    as,
    body: { name: 'to delete', agent_endpoint: endpoint, max_tasks: 1 },
  });
  assert.equal(again.status, 200);
});
