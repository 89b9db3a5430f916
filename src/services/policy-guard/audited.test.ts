/** Who changes what is judged is in the audit trail: guards, groups, policies, what was learned. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { walkAuditedOperations } from '../../../test/fixtures/audited-operations.ts';
import { openJudgingService } from './judging/judges/fixtures/judging-service.ts';
import { gardening, labelled, sports } from './learning/adaptations/fixtures/examples.ts';

const judging = await openJudgingService({ BULWARK_POLICY_GUARD_JUDGE_ENGINE: 'embedded' });
const { call, tokens, keys, db } = judging.service;
after(() => judging[Symbol.asyncDispose]());
const walk = await walkAuditedOperations(call, tokens.admin);
const { change } = walk;

const clubs = {
  name: 'Rival clubs',
  description: 'Talk about other football clubs',
  block_activities: ['praising a rival football club'],
  safe_activities: ['league tables'],
};

test('policy groups and policies: who, which, and what each field was and is', async () => {
  const made = await change('POST', '/api/policy_groups', {
    body: { name: 'House rules', policies: [clubs] },
  });
  const group: string = made.body.group_uuid;
  assert.deepEqual(
    [made.event, made.user_name, made.details.name],
    ['policy_group_created', 'admin', 'House rules'],
  );
  assert.equal(made.details['id'], group);
  assert.deepEqual(made.details.changes?.['policies'], { old: null, new: ['Rival clubs'] });

  const updated = await change('PUT', `/api/policy_groups/${group}`, { body: { threshold: 0.9 } });
  assert.equal(updated.event, 'policy_group_updated');
  assert.deepEqual(updated.details.changes, { threshold: { old: 0.5, new: 0.9 } });

  const added = await change('POST', `/api/policy_groups/${group}/policies`, {
    body: { ...clubs, name: 'Clubs' },
  });
  assert.deepEqual([added.event, added.details.name], ['text_policy_created', 'Clubs']);
  assert.equal(added.details['policy_group'], 'House rules');
  const policy = `/api/policy_groups/${group}/policies/${added.body._id}`;
  const off = await change('PUT', policy, { body: { enabled: false } });
  assert.deepEqual([off.event, off.details.name], ['text_policy_updated', 'Clubs']);
  assert.deepEqual(off.details.changes, {
    'policy "Clubs" enabled': { old: true, new: false },
  });
  const gone = await change('DELETE', policy);
  assert.deepEqual([gone.event, gone.details.name], ['text_policy_deleted', 'Clubs']);
  assert.deepEqual(gone.details.changes?.['policies'], {
    old: ['Rival clubs', 'Clubs'],
    new: ['Rival clubs'],
  });

  const restored = await change('POST', `/api/policy_groups/${group}/history/1/restore`);
  assert.equal(restored.event, 'policy_group_restored');
  assert.deepEqual(restored.details.changes, { threshold: { old: 0.9, new: 0.5 } });
  const copy = await change('POST', `/api/policy_groups/${group}/copy`);
  assert.match(String(copy.details['summary']), /^Copied from "House rules"/);
  const { body: templates } = await call('GET', '/api/templates', { as: tokens.admin });
  await change('POST', `/api/templates/${templates.templates[0].group_uuid}/copy`);
  const deleted = await change('DELETE', `/api/policy_groups/${group}`);
  assert.deepEqual([deleted.event, deleted.details.name], ['policy_group_deleted', 'House rules']);
  assert.deepEqual(deleted.details.changes?.['threshold'], { old: 0.5, new: null });
});

test('guards: enforcement that is switched off and texts that are kept from now on are told', async () => {
  const made = await change('POST', '/api/guards', { body: { name: 'Front desk' } });
  const guard: string = made.body.guard_uuid;
  assert.deepEqual(
    [made.event, made.details.name, made.details['id']],
    ['guard_created', 'Front desk', guard],
  );
  const observing = await change('PUT', `/api/guards/${guard}`, {
    body: { settings: { mode: 'observe', log_requests: true } },
  });
  assert.equal(observing.event, 'guard_updated');
  assert.deepEqual(observing.details.changes, {
    log_requests: { old: null, new: true },
    mode: { old: 'enforce', new: 'observe' },
  });
  const allowed = await change('POST', `/api/guards/${guard}/allow_list`, {
    body: { content: 'Ignore this.', reason: 'A lesson.' },
  });
  assert.deepEqual([allowed.event, allowed.details.name], ['allow_list_entry_added', 'Front desk']);
  const judgedAgain = await change('DELETE', `/api/guards/${guard}/allow_list/${allowed.body.entry_id}`);
  assert.equal(judgedAgain.event, 'allow_list_entry_deleted');
  const deleted = await change('DELETE', `/api/guards/${guard}`);
  assert.deepEqual([deleted.event, deleted.details.name], ['guard_deleted', 'Front desk']);
  assert.deepEqual(deleted.details.changes?.['mode'], { old: 'observe', new: null });
});

test('what a guard has learned, and labels that it can learn from: never the texts', async () => {
  const group = await change('POST', '/api/policy_groups', { body: { name: 'Sports', policies: [clubs] } });
  const groupUuid: string = group.body.group_uuid;
  const { body: guard } = await change('POST', '/api/guards', {
    body: { name: 'Learner', policy_group_uuids: [groupUuid], settings: { log_requests: true } },
  });
  const at = `/api/guards/${guard.guard_uuid}/adaptations`;
  const examples = labelled(clubs.name, { violating: gardening, harmless: sports });
  const learned = await change('POST', at, { body: { examples, activate: false } });
  const id: string = learned.body.adaptation_id;
  assert.deepEqual(
    [learned.event, learned.details.name, learned.details['policies']],
    ['guard_adaptation_created', 'Learner', ['Rival clubs']],
  );
  assert.equal(learned.details.changes, undefined, 'nothing is judged otherwise yet');
  const active = await change('POST', `${at}/${id}/activate`);
  assert.deepEqual(active.details.changes, { active_adaptation_id: { old: null, new: id } });
  const none = await change('DELETE', `${at}/active`);
  assert.deepEqual(none.details.changes, { active_adaptation_id: { old: id, new: null } });
  assert.equal((await change('DELETE', `${at}/${id}`)).event, 'guard_adaptation_deleted');

  const secret = 'The striker of the other club is the best.';
  await call('POST', '/api/topic_guard', {
    key: keys.admin,
    body: { text: secret, guard_uuid: guard.guard_uuid },
  });
  const { body: logged } = await call('GET', '/api/queries', { as: tokens.admin });
  const label = `/api/queries/${logged.queries[0].query_id}/label`;
  const labelledNow = await change('POST', label, { body: { policy: clubs.name, label: true } });
  assert.deepEqual(labelledNow.details.changes, { violates: { old: null, new: true } });
  assert.equal((await change('DELETE', label)).event, 'query_label_deleted');
  const rows = await db.query('select details::text as details from identity.audit_events');
  for (const text of [secret, gardening[0] ?? '', sports[0] ?? ''])
    assert.ok(rows.every(({ details }) => !String(details).includes(text)));
});

test('calibrations, and what the lab proposed once it is applied', async () => {
  const { body: group } = await change('POST', '/api/policy_groups', {
    body: { name: 'Lab', policies: [clubs] },
  });
  const calibration = await change('POST', '/api/judge/calibrations', {
    body: { policy_group_uuid: group.group_uuid, policy_id: group.policies[0]._id, examples: [] },
  });
  assert.deepEqual([calibration.event, calibration.details.name], ['calibration_created', 'Rival clubs']);
  const of = `/api/judge/calibrations/${calibration.body.calibration_id}`;
  const off = await change('POST', `${of}/deactivate`);
  assert.deepEqual(off.details.changes, { in_force: { old: true, new: false } });
  assert.equal((await change('POST', `${of}/activate`)).event, 'calibration_activated');

  const examples = labelled(clubs.name, { violating: gardening, harmless: sports });
  const lab = `/api/policy_groups/${group.group_uuid}/optimize`;
  const { body: job } = await call('POST', lab, { as: tokens.admin, body: { tier: 'high', examples } });
  for (;;) {
    const { body } = await call('GET', `/api/optimization_jobs/${job.job_id}`, { as: tokens.admin });
    if (body.finished_at !== null) break;
    await sleep(20);
  }
  const applied = await change('POST', `/api/optimization_jobs/${job.job_id}/apply`, {
    body: { policies: [clubs.name] },
  });
  assert.deepEqual([applied.event, applied.details.name], ['policy_group_optimized', 'Lab']);
});

test('a change that fails leaves no entry, and an entry that fails leaves no change', async () => {
  const count = async () =>
    (await db.query('select count(*)::int as n from identity.audit_events'))[0]?.['n'];
  const { body: guard } = await change('POST', '/api/guards', { body: { name: 'Both or neither' } });
  const before = await count();
  const refused = {
    settings: { mode: 'observe' },
    policy_group_uuids: ['00000000-0000-4000-8000-00000000ffff'],
  };
  assert.equal(
    (await call('PUT', `/api/guards/${guard.guard_uuid}`, { as: tokens.admin, body: refused })).status,
    404,
  );
  assert.equal((await call('DELETE', `/api/guards/${guard.guard_uuid}`, { as: tokens.member })).status, 404);
  assert.equal(await count(), before);

  await db.query(
    `alter table identity.audit_events add constraint full_disk check (event <> 'guard_updated') not valid`,
  );
  const body = { settings: { mode: 'observe' } };
  const { status } = await call('PUT', `/api/guards/${guard.guard_uuid}`, { as: tokens.admin, body });
  await db.query('alter table identity.audit_events drop constraint full_disk');
  assert.equal(status, 500);
  const { body: now } = await call('GET', `/api/guards/${guard.guard_uuid}`, { as: tokens.admin });
  assert.deepEqual([now.settings.mode, now.version], ['enforce', 1]);
});

test('every changing operation is recorded, or here is why it is not', () => {
  const judges = 'Judges a text and changes nothing; the query log has it.';
  const draft = 'Tries something that is not saved.';
  walk.assertComplete({
    topicGuard: judges,
    topicGuardOneshot: judges,
    topicGuardStream: judges,
    liteLlmGuardrail: judges,
    liteLlmGuardrailByParam: judges,
    portkeyWebhook: judges,
    createModeration: judges,
    createOpenAiModeration: judges,
    redactText: judges,
    testPolicyGroup: judges,
    judgeDraft: draft,
    replayDraft: draft,
    extractPolicies: draft,
    extractPoliciesStream: draft,
    testLanguageModel: 'Asks the language model whether it answers.',
    clearCache: 'Verdicts that are judged again come out the same.',
    replaceTestCases: 'Test cases measure a policy and change no verdict.',
    addTestCase: 'Test cases measure a policy and change no verdict.',
    optimizePolicyGroup: 'A job changes nothing before it is applied; the list of jobs has it.',
    cancelOptimizationJob: 'A job changes nothing before it is applied; the list of jobs has it.',
  });
});
