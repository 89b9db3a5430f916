import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnvironmentInstance } from '#environments/kit/instance.ts';
import { mail } from '#environments/mail/mail.ts';
import { InProcessHandle } from '#engine/red-team/session/in-process.ts';
import { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { RunningSessions } from './running-sessions.ts';
import { TaskSession } from './task-session.ts';

async function openSession() {
  const task = shippedTasks().find(({ envs }) => envs.includes('mail'));
  assert.ok(task);
  const handle = new InProcessHandle(new EnvironmentInstance(mail));
  const sandbox = new SandboxSession(task, new Map([['mail', handle]]));
  await sandbox.start('seed');
  return { sandbox, session: new TaskSession(sandbox) };
}

test('an ended task has the calls that were under way, and takes no more', async () => {
  const { sandbox, session } = await openSession();
  const underWay = session.call('mail__list_rules', {});
  await session.end();
  assert.equal(sandbox.calls.length, 1);
  assert.equal((await underWay).isError, false);
  await assert.rejects(session.call('mail__list_rules', {}), /This task has ended/);
  await assert.rejects(session.tools(), /This task has ended/);
  assert.equal(sandbox.calls.length, 1);
});

test('an agent in a loop is stopped by the number of its calls, and a flood by their size', async () => {
  const { session } = await openSession();
  for (let i = 0; i < 2000; i++) await session.call('mail__unknown', {});
  await assert.rejects(session.call('mail__unknown', {}), /A task may make 2000 tool calls/);
  const { session: other } = await openSession();
  const args = { query: 'x'.repeat(9_000_000) };
  await other.call('mail__unknown', args);
  await assert.rejects(other.call('mail__unknown', args), /characters in all/);
});

test('a call is told to a task by its token, then by the key of its agent, then by its user; never guessed', () => {
  const sessions = new RunningSessions();
  const sandbox = { tools: async () => [], call: async () => ({ text: '', isError: false }) };
  const common = { tenantId: 't', userId: 'u', sandbox };
  const caller = { tenantId: 't', userId: 'u', token: null };
  using _unbound = sessions.open({ ...common, sessionId: 'unbound', token: 'a', apiKeyId: null });
  using _bound = sessions.open({ ...common, sessionId: 'bound', token: 'b', apiKeyId: 'k' });
  assert.equal(sessions.find({ ...caller, apiKeyId: 'k' }).sessionId, 'bound');
  assert.equal(sessions.find({ ...caller, apiKeyId: 'other' }).sessionId, 'unbound');
  assert.equal(sessions.find({ ...caller, apiKeyId: 'k', token: 'a' }).sessionId, 'unbound');
  assert.throws(() => sessions.find({ ...caller, tenantId: 'else', apiKeyId: 'k' }), /No task is running/);
  using _second = sessions.open({ ...common, sessionId: 'second', token: 'c', apiKeyId: 'k' });
  assert.throws(() => sessions.find({ ...caller, apiKeyId: 'k' }), /2 tasks are running/);
});
