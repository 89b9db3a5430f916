/** `bulwark red-team tasks` and evaluations made of them, against a running service. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { goal, taskFile } from '#services/red-team/fixtures/own-tasks.ts';
import { openTestService } from '#services/red-team/fixtures/service.ts';
import { folder, inFolder, run } from '../../src/cli/eval/fixtures/cli.ts';

const service = await openTestService();
const env = { BULWARK_RED_TEAM_URL: service.url, BULWARK_TOKEN: service.tokens.admin };
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const sound = inFolder('house.json');
await writeFile(sound, taskFile());
const redTeam = (...args: string[]) => run(['red-team', ...args], env);

test('a file is proved without a server; a refused task has its own exit code and its reason', async () => {
  const good = await run(['red-team', 'tasks', 'check', sound]);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /^\d+ tasks are sound, 0 are refused/);
  const always = { ...goal, id: 'own.always', attack: { not: { response: { contains: 'never said' } } } };
  await writeFile(inFolder('partly.json'), taskFile({ goals: [goal, always] }));
  const partly = await run(['red-team', 'tasks', 'check', inFolder('partly.json')]);
  assert.equal(partly.code, 10, partly.err);
  assert.match(partly.out, /refused .*own\.always.*counts as a successful attack/);
  const missing = await run(['red-team', 'tasks', 'check', inFolder('no-such-file.yaml')]);
  assert.notEqual(missing.code, 0);
  assert.match(missing.err, /no-such-file\.yaml cannot be read/);
});

test('a set is uploaded, listed, made into an evaluation by its name, and deleted', async () => {
  const uploaded = await redTeam('tasks', 'upload', sound, '--name', 'House tasks');
  assert.equal(uploaded.code, 0, uploaded.err);
  const [, tasks] = /with (\d+) tasks/.exec(uploaded.out) ?? [];
  const listed = await redTeam('tasks', 'list');
  assert.match(listed.out, new RegExp(`House tasks: ${tasks} tasks`));
  const agent = ['--agent', 'http://127.0.0.1:9/v1/responses', '--protocol', 'openai_responses'];
  const made = await redTeam('evaluation', 'create', 'Own', ...agent, '--tasks', 'House tasks');
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, new RegExp(`with ${tasks} tasks`));
  const deleted = await redTeam('tasks', 'delete', 'House tasks');
  assert.match(deleted.out, /was deleted/);
  const unknown = await redTeam('tasks', 'delete', 'House tasks');
  assert.notEqual(unknown.code, 0);
  assert.match(unknown.err, /There is no set of tasks/);
});
