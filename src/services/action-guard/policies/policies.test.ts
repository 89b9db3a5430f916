import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';
import { adminKey } from '../fixtures/service-key.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const as = tokens.admin;
const path = '/api/v1/policies/policy';

const create = async (body: object, who = as): Promise<string> => {
  const answer = await call('POST', path, { as: who, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { in_doubt: _, ...documented } = answer.body;
  assert.deepEqual(Object.keys(documented).sort(), ['message', 'policy_id', 'success']);
  assert.match(answer.body.policy_id, /^pol_[\w-]{24}$/);
  return answer.body.policy_id;
};
const get = async (id: string, who = as) => call('GET', `${path}/${id}`, { as: who });

test('a policy comes back as it was made, with defaults and its rules compiled', async () => {
  const plain = (await get(await create({ name: 'Plain' }))).body;
  assert.deepEqual(
    [plain.description, plain.category, plain.rules, plain.rule_count],
    ['', 'User Rules', {}, 0],
  );
  const nulls = await create({ name: 'Nulls', description: null, category: null, rules: null });
  assert.equal((await get(nulls)).body.category, 'User Rules');
  const rules = {
    'No deletions!': { description: 'Never delete files.', severity: 'High' },
    '2': { description: 'Sing a cheerful tune of the old sea.' },
  };
  const { body: made } = await get(await create({ name: 'Rules', category: 'Files', rules }));
  assert.deepEqual(Object.keys(made.rules).sort(), ['2', 'No deletions!']);
  const [deletions, tune] = [made.rules['No deletions!'], made.rules['2']];
  assert.match(deletions.id, /^rul_[\w-]{24}$/);
  assert.equal(deletions.compiled.kind, 'matcher');
  assert.ok(deletions.compiled.summary.length > 0);
  assert.equal(tune.severity, 'Medium');
  assert.equal(made.is_template, false);
});

test('a change touches only what is sent, and a rule keeps its id by its key', async () => {
  const rules = {
    keep: { description: 'Never delete files.', severity: 'High' },
    drop: { description: 'Never pay anyone.' },
  };
  const id = await create({ name: 'Before', description: 'Text', rules });
  const before = (await get(id)).body;
  const renamed = await call('PUT', `${path}/${id}`, { as, body: { name: 'After' } });
  assert.equal(renamed.status, 200);
  assert.deepEqual([renamed.body.success, renamed.body.policy_id, renamed.body.name], [true, id, 'After']);
  assert.deepEqual(renamed.body.rules, before.rules);
  assert.equal(renamed.body.description, 'Text');
  const changed = await call('PUT', `${path}/${id}`, {
    as,
    body: {
      rules: {
        keep: { description: 'Never send emails.', severity: 'Low', source: 'Page 3' },
        add: { description: 'Never delete files.' },
      },
    },
  });
  assert.deepEqual(Object.keys(changed.body.rules), ['keep', 'add']);
  assert.equal(changed.body.rules.keep.id, before.rules.keep.id);
  assert.equal(changed.body.rules.keep.source, 'Page 3');
  assert.notDeepEqual(changed.body.rules.keep.compiled, before.rules.keep.compiled);
  assert.deepEqual((await get(id)).body.rules, changed.body.rules);
});

test('the list has what is active, newest first, in pages', async () => {
  const first = await create({ name: 'First' }, tokens.member);
  const second = await create({ name: 'Second' }, tokens.member);
  const list = (query = '', who = tokens.member) => call('GET', path + query, { as: who });
  const { body } = await list();
  assert.deepEqual(
    body.policies.map(({ id }: { id: string }) => id),
    [second, first],
  );
  assert.equal(body.total, 2);
  const { body: paged } = await list('?limit=1&offset=1');
  assert.deepEqual([paged.policies[0].id, paged.policies.length, paged.total], [first, 1, 2]);
  const gone = await call('DELETE', `${path}/${second}`, { as: tokens.member });
  assert.deepEqual([gone.status, gone.body.success, gone.body.policy_id], [200, true, second]);
  assert.equal((await list()).body.total, 1);
  assert.equal((await get(second, tokens.member)).status, 404);
  assert.equal((await call('DELETE', `${path}/${second}`, { as: tokens.member })).status, 404);
  // An administrator sees those of the tenant.
  assert.ok((await list('', as)).body.policies.some(({ id }: { id: string }) => id === first));
  assert.equal((await list('', tokens.stranger)).body.total, 0);
});

test('another user’s and another tenant’s policy is not found', async () => {
  const id = await create({ name: 'Mine' });
  for (const who of [tokens.member, tokens.stranger])
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const)
      assert.equal((await call(method, `${path}/${id}`, { as: who, body })).status, 404, method);
  for (const strange of ['nothing', '%00', 'pol_%F0%9F%98%80', "'%20or%201=1"])
    assert.equal((await get(strange)).status, 404, strange);
  const theirs = await create({ name: 'Theirs' }, tokens.member);
  assert.equal((await call('PUT', `${path}/${theirs}`, { as, body: { name: 'By the admin' } })).status, 200);
});

test('what cannot be a policy is refused with the name of the field', async () => {
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`r${i}`, { description: 'x y' }]));
  const refused: [body: unknown, status: number, detail: RegExp][] = [
    [{}, 400, /'name' is required/],
    [{ name: '' }, 422, /'name'/],
    [{ name: ' ' }, 422, /'name' must not be blank/],
    [{ name: 'a\0' }, 422, /NUL/],
    [{ name: 'x'.repeat(256) }, 422, /'name' must have at most 255/],
    [{ name: 'x', rules: [] }, 422, /'rules'/],
    [{ name: 'x', rules: { a: {} } }, 400, /'rules\.a\.description' is required/],
    [
      { name: 'x', rules: { a: { description: 'b', severity: 'high' } } },
      422,
      /'rules\.a\.severity' must be one of "High"/,
    ],
    [{ name: 'x', rules: { a: { description: 'x'.repeat(2001) } } }, 422, /description/],
    [{ name: 'x', rules: { a: { description: ' ' } } }, 422, /blank/],
    [{ name: 'x', rules: many }, 422, /at most 500 rules/],
    [{ name: 'x', category: '' }, 422, /'category'/],
  ];
  for (const [body, status, detail] of refused) {
    const answer = await call('POST', path, { as, body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  assert.equal((await call('POST', path, { as, raw: '{"name":' })).status, 400);
  assert.equal((await call('PUT', path, { as, body: {} })).status, 405);
});

test('presets are listed, whole and read-only, for a key as well', async () => {
  const key = await adminKey(service);
  const { status, body } = await call('GET', '/api/v1/policies/templates', { key });
  assert.equal(status, 200);
  assert.equal(body.total, body.templates.length);
  assert.ok(body.total >= 15);
  for (const template of body.templates) {
    assert.deepEqual(Object.keys(template).sort(), ['category', 'description', 'id', 'name', 'rule_count']);
    const whole = (await call('GET', `/api/v1/policies/templates/${template.id}`, { key })).body;
    assert.ok(whole.rule_count >= 6, template.id);
    assert.equal(Object.keys(whole.rules).length, whole.rule_count);
    assert.deepEqual((await get(template.id)).body.rules, whole.rules);
    assert.equal((await get(template.id)).body.is_template, true);
  }
  const preset = body.templates[0].id;
  assert.equal((await call('PUT', `${path}/${preset}`, { as, body: { name: 'x' } })).status, 403);
  assert.equal((await call('DELETE', `${path}/${preset}`, { as })).status, 403);
  assert.equal((await call('GET', '/api/v1/policies/templates/pol_preset_none', { as })).status, 404);
});

test('changes are kept for the audit', async () => {
  const id = await create({ name: 'Audited', rules: { a: { description: 'Never pay anyone.' } } });
  await call('DELETE', `${path}/${id}`, { as });
  const events = await service.db.query<{ event: string }>(
    "select event from identity.audit_events where details->>'id' = $1 order by at",
    [id],
  );
  assert.deepEqual(
    events.map(({ event }) => event),
    ['action_policy_created', 'action_policy_deleted'],
  );
});
