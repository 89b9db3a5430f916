import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StartupError } from '#base/errors.ts';
import { detectorSlugs } from '#engine/text/types.ts';
import { builtIn, refusal, startServer } from '../groups/fixtures/server.ts';
import { readShippedTemplates } from './shipped-templates.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { first, colleague, stranger } = server;

const shipped = [
  'Default Policies',
  'PII and secrets',
  'Financial advice',
  'Medical advice',
  'Legal advice',
  'Off-topic for customer support',
  'Brand and competitor talk',
  'Code and infrastructure misuse',
  'Child safety',
  'EU AI Act prohibited practices',
];

test('the library contains ten read-only templates, the built-in group first', async () => {
  const { templates, total } = await first.listTemplates();
  assert.equal(total, 10);
  assert.deepEqual(
    templates.map(({ name }) => name),
    shipped,
  );
  assert.equal(templates[0]!.group_uuid, builtIn);
  for (const template of templates) {
    assert.ok(template.is_template && template.owner_id === null);
    assert.ok(template.policies.length >= 5 && template.policies.length <= 9, template.name);
    assert.equal(new Set(template.policies.map(({ name }) => name)).size, template.policies.length);
    for (const policy of template.policies)
      assert.ok(policy.block_activities.length >= 3 && policy.safe_activities.length >= 2, policy.name);
    const params = { group_uuid: template.group_uuid };
    assert.equal((await refusal(first.replacePolicyGroup({ params, body: {} }))).status, 403);
    assert.equal((await refusal(first.deletePolicyGroup({ params }))).status, 403);
  }
});

test('only the built-in group has the nine detectors', async () => {
  const { all } = readShippedTemplates();
  const [first_, ...rest] = all;
  assert.deepEqual(
    first_!.policies.map(({ id, detector }) => [id, detector]),
    detectorSlugs.map((slug) => [slug, slug]),
  );
  assert.ok(rest.every(({ policies }) => policies.every(({ detector }) => detector === undefined)));
  const ids = all.flatMap(({ policies }) => policies.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
});

test('shared groups of the tenant are listed before the built-in templates', async () => {
  const { group_uuid } = await colleague.createPolicyGroup({
    body: { name: 'House rules', is_template: true },
  });
  const uuids = async (client: typeof first) =>
    (await client.listTemplates()).templates.map((template) => template.group_uuid);
  assert.equal((await uuids(first))[0], group_uuid);
  assert.equal((await uuids(stranger)).includes(group_uuid), false);
  const { templates, total } = await first.listTemplates({ query: { limit: 3, offset: 9 } });
  assert.equal(total, 11);
  assert.deepEqual(
    templates.map(({ name }) => name),
    shipped.slice(8),
  );

  const copy = await first.copyTemplate({ params: { template_id: group_uuid } });
  assert.deepEqual([copy.name, copy.owner_id, copy.is_template], ['House rules_copy', 'user-first', false]);
  await colleague.replacePolicyGroup({ params: { group_uuid }, body: { is_template: false } });
  assert.equal((await refusal(first.copyTemplate({ params: { template_id: group_uuid } }))).status, 404);
  assert.equal((await refusal(first.getPolicyGroup({ params: { group_uuid } }))).status, 404);
});

test('every template can be copied, and the copy has the same policies', async () => {
  for (const template of (await first.listTemplates({ query: { limit: 10 } })).templates) {
    const copy = await stranger.copyTemplate({
      params: { template_id: template.group_uuid },
      query: { name: `My ${template.name}` },
    });
    assert.equal(copy.name, `My ${template.name}`);
    assert.equal(copy.threshold, template.threshold);
    assert.equal(copy.strictness_level, template.strictness_level);
    const said = (group: typeof copy) => group.policies.map(({ _id, ...rest }) => rest);
    assert.deepEqual(said(copy), said(template));
    assert.equal((await stranger.getPolicyGroup({ params: { group_uuid: copy.group_uuid } })).version, 1);
  }
});

test('an invalid template file fails the start with a message that names the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    writeFileSync(join(folder, 'broken.yaml'), 'name: x\npolicies: []\n');
    assert.throws(
      () => readShippedTemplates(folder),
      (error: Error) => {
        assert.ok(error instanceof StartupError);
        return /broken\.yaml.*group_uuid/s.test(error.message);
      },
    );
    writeFileSync(join(folder, 'broken.yaml'), '{');
    assert.throws(() => readShippedTemplates(folder), /broken\.yaml is not valid YAML/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
