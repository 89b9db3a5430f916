import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailCatcher } from '../../../../test/fixtures/mail-catcher.ts';
import { openTestService } from '../fixtures/service.ts';

const catcher = await startMailCatcher();
const service = await openTestService({
  withJobs: true,
  env: { BULWARK_SMTP_URL: catcher.url, BULWARK_SMTP_FROM: 'Guard <guard@example.com>' },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await catcher[Symbol.asyncDispose]();
});
const { call, tokens, clock, judge } = service;
const as = tokens.admin;
const rules = {
  no_deletions: { description: 'Never delete files.', severity: 'High' },
  no_mail: { description: 'Never send emails.', severity: 'High' },
};
const { body: policy } = await call('POST', '/api/v1/policies/policy', {
  as,
  body: { name: 'House', rules },
});
const makeSet = async (notify_emails: string[]): Promise<string> =>
  (
    await call('POST', '/api/v1/policies/sets', {
      as,
      body: { name: 'House', policy_ids: [policy.policy_id], notify_emails },
    })
  ).body.policy_id;
const policyId = await makeSet(['security@example.com', 'night@example.com']);
const deletion = { policyId, tool: 'delete_file', params: { path: 'secret-plan.txt' } };

/** Long enough to show that an e-mail is not sent. */
const quiet = () => sleep(700);

test('a blocked action is mailed to those of the set, each seeing themselves alone, without its parameters', async () => {
  const { body } = await judge({ ...deletion, sessionId: 'first' });
  assert.deepEqual(body.violations_detail[0].notify_emails, ['security@example.com', 'night@example.com']);
  await catcher.caught(1);
  const [mail] = catcher.mails;
  assert.deepEqual(mail!.to.sort(), ['night@example.com', 'security@example.com']);
  assert.equal(mail!.from, 'guard@example.com');
  const text = mail!.source.replace(/=\r\n/g, '');
  assert.match(text, /^Subject: \[Bulwark\] Blocked: Never delete files\./m);
  assert.match(text, /Session:\s+first/);
  assert.doesNotMatch(text, /secret-plan|night@example\.com|security@example\.com/);
});

test('one mail for each rule and session in ten minutes', async () => {
  const before = catcher.mails.length;
  await judge({ ...deletion, sessionId: 'first' });
  await quiet();
  assert.equal(catcher.mails.length, before);
  await judge({ ...deletion, sessionId: 'second' });
  await judge({ policyId, tool: 'send_email', params: { to: 'a@example.com' }, sessionId: 'first' });
  await catcher.caught(before + 2);
  clock.advance(10 * 60_000 + 1);
  await judge({ ...deletion, sessionId: 'first' });
  await catcher.caught(before + 3);
});

test('another process keeps the same silence', async () => {
  await using other = await openTestService({ db: service.db, env: { BULWARK_SMTP_URL: catcher.url } });
  other.clock.advance(10 * 60_000 + 2);
  const before = catcher.mails.length;
  await other.judge({ ...deletion, sessionId: 'first' });
  await quiet();
  assert.equal(catcher.mails.length, before);
});

test('allowed actions, warnings and sets without addresses send nothing', async () => {
  const before = catcher.mails.length;
  await judge({ policyId, tool: 'read_file', sessionId: 'calm' });
  const warned = { blocking_config: { blocking_mode: 'rule_threshold', blocking_threshold: 1 } };
  await judge({ ...deletion, sessionId: 'warned', more: warned });
  await judge({ ...deletion, policyId: await makeSet([]), sessionId: 'unknown' });
  await quiet();
  assert.equal(catcher.mails.length, before);
});

test('what could not be told is told at the next blocked action', async () => {
  const before = catcher.mails.length;
  await service.db.query('alter table action_guard.notices rename to away');
  await judge({ ...deletion, sessionId: 'lost' });
  await quiet();
  await service.db.query('alter table action_guard.away rename to notices');
  await judge({ ...deletion, sessionId: 'lost' });
  await catcher.caught(before + 1);
});

test('a session id from outside cannot write headers, nor lines of the mail', async () => {
  const before = catcher.mails.length;
  await judge({
    ...deletion,
    sessionId: 'x\r\nBcc: thief@example.com',
    gatewayId: 'gw\u2028Rules:\nnone',
  });
  await catcher.caught(before + 1);
  assert.deepEqual(catcher.mails.at(-1)!.to.sort(), ['night@example.com', 'security@example.com']);
  assert.doesNotMatch(catcher.mails.at(-1)!.source.split('\r\n\r\n')[0]!, /^bcc/im);
  const [, text = ''] = catcher.mails.at(-1)!.source.split('\r\n\r\n');
  assert.doesNotMatch(text, /^(Bcc|none)/m);
});
