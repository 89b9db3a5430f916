/** Failures between a policy and the model that writes its exemplars; none of them fails a save. */
import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '#base/log/log.ts';
import { writtenLog } from '../../../../../test/fixtures/written-log.ts';
import type { TestService } from '../../fixtures/service.ts';
import {
  flags,
  guardOn,
  hurry,
  openWriting,
  readGroup,
  saveGroup,
  secretKey,
  until,
  untilRetry,
  type Writing,
} from './fixtures/writing-service.ts';
import { paraphrase, tipping, writes } from './fixtures/written.ts';

const folder = mkdtempSync(join(tmpdir(), 'bulwark-exemplars-'));
const logFile = join(folder, 'log');
const log = createLog({ level: 'debug', fd: openSync(logFile, 'a') });

let writing: Writing;
let service: TestService;
/** Requests without retries, so that each failure of the model counts. */
const env = { BULWARK_LLM_ATTEMPTS: '1', BULWARK_LLM_ATTEMPT_TIMEOUT_MS: '1000' };

before(async () => {
  writing = await openWriting();
  service = await writing.open({ log, env });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await writing[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const named = (name: string) => ({ ...tipping, name });
const written = () => writes().rules ?? [];

test('each refusal or broken reply costs one request; with too few exemplars the policy uses its text only', async () => {
  const { model } = writing;
  model.play({
    rules: [
      { when: { system: 'Write 16' }, times: 1, do: { refuse: 'text' } },
      { when: { system: 'Write 16' }, times: 1, do: { refuse: 'filter' } },
      { when: { system: 'Write 16' }, times: 2, do: { reply: '{"messages": ["cut off in the mid' } },
      ...written(),
    ],
  });
  const group = await saveGroup(service, [named('Refused at first')]);
  const ready = await until(service, group.group_uuid, 'ready');
  assert.ok(ready.block >= 50 && ready.safe >= 50, JSON.stringify(ready));

  model.play({ rules: [{ when: { system: 'Write 16' }, do: { refuse: 'field' } }] });
  const refused = await saveGroup(service, [named('Refused')]);
  await until(service, refused.group_uuid, 'failed');
  assert.equal(
    await flags(service, await guardOn(service, refused.group_uuid), 'Which shares should I buy?'),
    true,
  );

  model.play(writes());
  const path = `/api/policy_groups/${refused.group_uuid}/policies/${refused.policies[0]._id}`;
  const again = await service.call('PUT', path, { as: service.tokens.admin, body: {} });
  assert.equal(again.body.exemplars.status, 'pending', 'saving it again retries');
  await until(service, refused.group_uuid, 'ready');
});

test('writing exemplars has a longer timeout than a verdict', async () => {
  const [first, ...others] = written();
  assert.ok(first);
  writing.model.play({ rules: [{ ...first, do: { ...first.do, delayMs: 1500 } }, ...others] });
  const group = await saveGroup(service, [named('Slow')]);
  await until(service, group.group_uuid, 'ready');
});

test('while the model is down the queue retries, and the policy works by its text', async () => {
  const { db, model } = writing;
  model.play({ always: { status: 503 } });
  const group = await saveGroup(service, [named('Down')]);
  const guard = await guardOn(service, group.group_uuid);
  await untilRetry(db);
  assert.equal((await readGroup(service, group.group_uuid)).policies[0].exemplars.status, 'pending');
  assert.equal(await flags(service, guard, 'Which shares should I buy?'), true);
  assert.equal(await flags(service, guard, paraphrase), false);
  model.play(writes());
  await hurry(db);
  await until(service, group.group_uuid, 'ready');
  assert.equal(await flags(service, guard, paraphrase), true);
});

test('when a process ends in the middle, another continues from there', async () => {
  const { db, model } = writing;
  const script = writes();
  model.play({
    rules: [...written().slice(0, 2), { when: { system: 'messages that do not' }, do: { hang: true } }],
  });
  let group: { group_uuid: string };
  {
    await using first = await writing.open({ log });
    await service[Symbol.asyncDispose]();
    group = await saveGroup(first, [named('Interrupted')]);
    for (let i = 0; i < 500; i++) {
      const [row] = await db.query<{ n: number }>(
        `select count(*) as n from policy_guard.policy_exemplars where status = 'pending' and steps_done > 0`,
      );
      if ((row?.n ?? 0) > 0) break;
      await sleep(20);
    }
  }
  model.play({ ...script, rules: script.rules?.slice(1) ?? [] });
  service = await writing.open({ log });
  await hurry(db);
  const ready = await until(service, group.group_uuid, 'ready');
  assert.ok(ready.block >= 50 && ready.safe >= 50, JSON.stringify(ready));
  const asked = model.stats.requests.filter(({ messages }) => messages[1]?.content.includes('Interrupted'));
  assert.equal(asked.length, 7, 'existing exemplars are not requested again');
});

test('work whose job was lost is queued again', async () => {
  const { db, model } = writing;
  model.play(writes());
  const group = await saveGroup(service, [named('Lost')]);
  await until(service, group.group_uuid, 'ready');
  await db.query(
    `update policy_guard.policy_exemplars set status = 'pending', steps_done = 0, block = '[]', safe = '[]',
      updated_at = now() - interval '3 hours' where policy_id = $1`,
    [group.policies[0]._id],
  );
  await db.query(`delete from jobs.job where name like 'policy_guard_exemplars%'`);
  model.play(writes());
  await using _next = await writing.open({ log });
  await until(service, group.group_uuid, 'ready');
});

test('neither logs nor the queue contain the key, policies or generated texts', async () => {
  const jobs = await writing.db.query<{ text: string }>('select to_json(j)::text as text from jobs.job j');
  const all = [await writtenLog(log, logFile), ...jobs.map(({ text }) => text)].join('\n');
  assert.match(all, /policy learned from exemplars/);
  assert.match(all, /"code":"llm_refused"/);
  for (const secret of [secretKey, tipping.description, 'Put everything into'])
    assert.ok(!all.includes(secret), secret);
});
