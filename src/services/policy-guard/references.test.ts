/** An object named in a request must exist and be accessible to the caller: otherwise 404, on create and on update. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

/** A user's group and guard, with a policy. */
async function own(as: string) {
  const policies = [{ name: 'Policy', block_activities: ['Selling shares'] }];
  const group = (await call('POST', '/api/policy_groups', { as, body: { name: 'Own', policies } })).body;
  const body = { name: 'Own', policy_group_uuids: [group.group_uuid] };
  const guard = (await call('POST', '/api/guards', { as, body })).body;
  return {
    group: String(group.group_uuid),
    policy: String(group.policies[0]._id),
    guard: String(guard.guard_uuid),
  };
}
const mine = await own(tokens.admin);
const theirs = await own(tokens.stranger);
const unknown = { group: '00000000-0000-4000-8000-0000000000aa', policy: 'none', guard: 'gd_none' };

const example = (group: string) => ({ text: 'x', policy: 'Policy', policy_group_uuid: group, label: true });
type Reference = [method: 'POST' | 'PUT', path: string, body: object, status?: number];
/** Each operation whose body names another object by id, with that object. */
const references = ({ group, policy }: typeof mine): Reference[] => [
  ['POST', '/api/guards', { name: 'x', policy_group_uuids: [group] }],
  ['POST', '/api/guards', { name: 'x', policy_group_uuids: [mine.group, group] }],
  ['PUT', `/api/guards/${mine.guard}`, { policy_group_uuids: [group] }],
  ['PUT', `/api/guards/${mine.guard}`, { policy_group_uuids: [mine.group, group] }],
  // Overrides are for attached groups: any other group is an invalid value, whoever owns it.
  ['POST', '/api/guards', { name: 'x', policy_group_overrides: { [group]: { threshold: 0.5 } } }, 422],
  ['PUT', `/api/guards/${mine.guard}`, { policy_group_overrides: { [group]: { threshold: 0.5 } } }, 422],
  ['POST', `/api/guards/${mine.guard}/adaptations`, { examples: [example(group)] }, 422],
  ['POST', `/api/policy_groups/${group}/copy`, {}],
  ['POST', `/api/policy_groups/${group}/policies`, { name: 'x' }],
  ['PUT', `/api/policy_groups/${mine.group}/policies/${policy}`, { name: 'x' }],
];

for (const [whose, things] of Object.entries({ unknown, 'of another tenant': theirs }))
  test(`ids that are ${whose} are refused with the same response`, async () => {
    for (const [method, path, body, status = 404] of references(things)) {
      const answer = await call(method, path, { as: tokens.admin, body });
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify([body, answer.body])}`);
    }
    const guard = (await call('GET', `/api/guards/${mine.guard}`, { as: tokens.admin })).body;
    assert.deepEqual(guard.policy_group_uuids, [mine.group], 'nothing was changed');
  });
