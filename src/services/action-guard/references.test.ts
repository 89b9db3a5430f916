/** What a request names must be there, and within the caller's reach: else 404, on create and on update. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const sets = '/api/v1/policies/sets';

async function own(as: string) {
  const rules = { no_deletions: { description: 'Never delete files.', severity: 'High' } };
  const made = await call('POST', '/api/v1/policies/policy', { as, body: { name: 'Own', rules } });
  const policy = String(made.body.policy_id);
  const set = await call('POST', sets, { as, body: { name: 'Own', policy_ids: [policy] } });
  return { policy, set: String(set.body.policy_id) };
}
const mine = await own(tokens.admin);
const theirs = await own(tokens.stranger);
const step = { role: 'agent', content: 'x' };

type Reference = [method: 'POST' | 'PUT', path: string, body: object];
/** Each operation whose body names another thing by its id, with that thing. */
const references = ({ policy, set }: typeof mine): Reference[] => [
  ['POST', sets, { name: 'x', policy_ids: [policy] }],
  ['POST', sets, { name: 'x', policy_ids: [mine.policy, policy] }],
  ['PUT', `${sets}/${mine.set}`, { policies: { [policy]: { enabled: false } } }],
  [
    'PUT',
    `${sets}/${mine.set}`,
    { name: 'x', policies: { [mine.policy]: { enabled: true }, [policy]: { enabled: true } } },
  ],
  ['POST', `${sets}/${mine.set}/policies`, { policy_ids: [policy] }],
  ['POST', `${sets}/${set}/policies`, { policy_ids: [mine.policy] }],
  ['POST', '/api/v1/guard_actions', { session_id: 's', policy_id: set, session_history: { trace: [step] } }],
];

for (const [whose, things] of Object.entries({
  unknown: { policy: 'pol_none', set: 'agp_none' },
  'of another tenant': theirs,
}))
  test(`ids that are ${whose} are refused, and answered alike`, async () => {
    for (const [method, path, body] of references(things)) {
      const answer = await call(method, path, { as: tokens.admin, body });
      assert.equal(answer.status, 404, `${method} ${path} ${JSON.stringify([body, answer.body])}`);
    }
    const { body } = await call('GET', `${sets}/${mine.set}`, { as: tokens.admin });
    assert.equal(body.name, 'Own', 'and nothing was changed');
    assert.deepEqual(
      body.policies.map(({ id }: { id: string }) => id),
      [mine.policy],
    );
  });
