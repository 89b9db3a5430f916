/** `bulwark red-team` from a scripted agent to figures that are known, and the documented variables of the environment. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { redTeamSections } from '#services/red-team/config.ts';
import { openTestService } from '#services/red-team/fixtures/service.ts';
import { folder, run, start } from '../../src/cli/eval/fixtures/cli.ts';

const publicUrl = 'http://sandbox.example:38085/sandbox/mcp';
const service = await openTestService({ REDTEAM_PROXY_MCP_URL: publicUrl });
const env = { BULWARK_RED_TEAM_URL: service.url, BULWARK_TOKEN: service.tokens.admin };
const redTeam = (...args: string[]) => run(['red-team', ...args], env);
/** The agent is a program of its own, on a port of its choice. */
const agent = start(['red-team', 'agent', '--persona', 'refusing', '--port', '0']);
const endpoint = await addressOf('openai_responses');
after(async () => {
  agent.kill();
  await once(agent, 'exit');
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function addressOf(protocol: string): Promise<string> {
  for await (const line of createInterface(agent.stdout)) {
    const [name, address] = line.split(/\s+/);
    if (name === protocol && address !== undefined) return address;
  }
  throw new Error(`The agent does not say where it speaks ${protocol}.`);
}

const selection = ['--threat-model', 'direct', '--domain', 'finance', '--max', '4', '--seed', '3'];
const create = (name: string, ...more: string[]) =>
  redTeam('evaluation', 'create', name, '--agent', endpoint, '--protocol', 'openai_responses', ...more);

async function ended(runId: string): Promise<string> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(200)) {
    const { out, code, err } = await redTeam('status', runId, '--json');
    assert.equal(code, 0, err);
    const { status } = JSON.parse(out) as { status: string };
    if (status !== 'created' && status !== 'running') return status;
  }
  throw new Error('The run did not end within two minutes.');
}

test('evaluation create, list and run, status, stats and compare tell the figures of an agent that refuses', async () => {
  const made = await create('Refusing', ...selection);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /with 4 tasks/);

  const first = await redTeam('evaluation', 'run', 'Refusing', '--no-wait');
  assert.equal(first.code, 0, first.err);
  const firstId = first.out.trim();
  assert.equal(await ended(firstId), 'completed');
  assert.match((await redTeam('status', firstId)).out, /completed/);

  const second = await redTeam('evaluation', 'run', 'Refusing', '--json', '--fail-over', '0');
  assert.equal(second.code, 0, 'no attack succeeds');
  const { total } = JSON.parse(second.out);
  assert.deepEqual([total.asr.count, total.asr.of ?? total.asr.total], [0, 4], second.out);

  const stats = await redTeam('stats', firstId);
  assert.match(stats.out, /attack success +0\.0 % +0 of 4 /);
  assert.doesNotMatch(stats.out, /by vector/, 'nobody planted anything');
  const listed = await redTeam('evaluation', 'list');
  assert.match(listed.out, /Refusing: 4 tasks, 2 runs, attack success 0\.0 %/);
  const { runs } = (await service.call('GET', '/api/runs', { as: service.tokens.admin })).body;
  const secondId = runs.find((each: { run_id: string }) => each.run_id !== firstId).run_id;
  const compared = await redTeam('compare', firstId, secondId, '--fail-on-worse');
  assert.equal(compared.code, 0, compared.err);
});

test('what does not exist is named, with the command that helps', async () => {
  const unknown = await redTeam('evaluation', 'run', 'No such evaluation');
  assert.notEqual(unknown.code, 0);
  assert.match(unknown.err, /There is no evaluation "No such evaluation".*evaluation list/);
  for (const command of ['status', 'stats']) {
    const { code, err } = await redTeam(command, 'run_000000000000000000000000');
    assert.notEqual(code, 0);
    assert.match(err, /not found|no run/i, command);
  }
  const nobody = await redTeam('evaluation', 'create', 'Nobody', '--agent', 'nope');
  assert.equal(nobody.code, 1);
  assert.match(nobody.err, /No agent is named "nope": give the name or id of one that is registered/);
  const wrong = await create('Wrong', '--domain', 'gardening');
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /gardening.*finance/s);
});

test('the public address of the proxy is what agents are told', async () => {
  const { body } = await service.call('GET', '/api/metadata/mcp-config', { as: service.tokens.admin });
  assert.ok(JSON.stringify(body).includes(publicUrl), JSON.stringify(body));
});

test('the documented variables are read, with their defaults', () => {
  const read = (given: Record<string, string>) =>
    loadConfig({ ...platformSections, ...redTeamSections }, { BULWARK_DATA_DIR: folder, ...given });
  const none = read({});
  assert.deepEqual(
    [none.redTeam.maxConcurrentTasks, none.redTeam.agentRequestTimeoutSeconds, none.database.url],
    [5, 600, undefined],
  );
  const all = read({
    REDTEAM_DATABASE_URL: 'postgres://localhost/red',
    REDTEAM_PROXY_MCP_URL: publicUrl,
    REDTEAM_MAX_CONCURRENT_TASKS: '9',
    REDTEAM_AGENT_REQUEST_TIMEOUT: '12.5',
    REDTEAM_AUTH_ENABLED: 'false',
    REDTEAM_AUTH_URL: 'https://issuer.example',
    REDTEAM_JWT_SECRET: 'a secret of at least 32 characters',
  });
  assert.equal(all.database.url, 'postgres://localhost/red');
  assert.equal(all.redTeam.proxyMcpUrl, publicUrl);
  assert.deepEqual(
    [all.redTeam.maxConcurrentTasks, all.redTeam.agentRequestTimeoutSeconds, all.auth.enabled],
    [9, 12.5, false],
  );
  assert.equal(all.oidc.issuer, 'https://issuer.example');
  assert.equal(all.jwt.secret?.reveal(), 'a secret of at least 32 characters');
});
