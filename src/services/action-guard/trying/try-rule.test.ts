import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

const tryIt = async (body: object, as = tokens.admin) => {
  const answer = await call('POST', '/api/v1/policies/rules/try', { as, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const act = (tool: string, params: Record<string, unknown>, as = tokens.admin) =>
  service.judge({ policyId: 'agp_default', tool, params }, as);

const refunds = 'Do not refund more than $500.';

interface Neighbour {
  change: string;
  outcome: string;
}

test('before anything is logged, an example is made from the rule and its neighbours show where it ends', async () => {
  const { logged, example, neighbours, understood } = await tryIt({ text: refunds });
  assert.deepEqual([logged.tried, understood, example.from, example.outcome], [0, 'fully', 'rule', 'block']);
  const at = (value: number) =>
    neighbours.find(({ change }: Neighbour) => change.includes(`is ${value} in place`))?.outcome;
  assert.deepEqual([at(499), at(500)], ['allow', 'allow']);
  assert.ok(
    neighbours.some(({ change, outcome }: Neighbour) => /only reads/.test(change) && outcome === 'allow'),
  );
});

test('logged actions of the last days are judged by the rule alone, own ones for a member', async () => {
  await act('issue_refund', { order: 'A1', amount: 800 });
  await act('issue_refund', { order: 'A2', amount: 100 });
  await act('read_file', { path: 'a.txt' });
  await act('issue_refund', { order: 'M1', amount: 900 }, tokens.member);
  const { logged, example, neighbours } = await tryIt({ text: refunds });
  assert.deepEqual([logged.tried, logged.blocked, logged.allowed, logged.more], [4, 2, 2, false]);
  assert.deepEqual(
    logged.broken.map(({ tool_params }: { tool_params: { order: string } }) => tool_params.order),
    ['M1', 'A1'],
  );
  assert.equal(typeof logged.broken[0].reason, 'string');
  assert.deepEqual(
    logged.kept.map(({ tool_params }: { tool_params: { order?: string } }) => tool_params.order),
    ['A2'],
  );
  assert.equal(example.from, 'log');
  assert.ok(neighbours.length > 3);
  const own = await tryIt({ text: refunds }, tokens.member);
  assert.deepEqual([own.logged.tried, own.logged.blocked], [1, 1]);
  assert.equal((await tryIt({ text: refunds }, tokens.stranger)).logged.tried, 0);
  const newest = await tryIt({ text: refunds, most: 1 });
  assert.deepEqual([newest.logged.tried, newest.logged.more], [1, true]);
  await service.db.query("update action_guard.logs set at = at - interval '8 days'");
  assert.equal((await tryIt({ text: refunds })).logged.tried, 0);
  assert.equal((await tryIt({ text: refunds, days: 31 })).logged.tried, 4);
});

test('a trace that is sent is judged whole and is the example', async () => {
  const trace = [
    { role: 'user', content: 'Please delete it.' },
    {
      role: 'agent',
      action: 'deletes',
      metadata: { tool_name: 'delete_file', tool_params: { path: 'a.txt' } },
    },
  ];
  const rule = { when: { is: 'action', acts: ['delete'] }, unless: { is: 'user_asked' }, on_missing: 'deny' };
  const { example, not_tried: notTried } = await tryIt({ rule, trace });
  assert.deepEqual([example.from, example.outcome], ['trace', 'allow']);
  assert.deepEqual(notTried, ['user_asked']);
});

test('a form that is none, and numbers out of range, are refused', async () => {
  for (const [body, detail] of [
    [{ text: refunds, rule: {} }, /one of 'text' and 'rule'/],
    [{ rule: { when: { is: 'magic' } } }, /'rule\.when\.is'/],
    [{ text: refunds, days: 32 }, /'days'/],
    [{ text: refunds, most: 0 }, /'most'/],
  ] as const) {
    const answer = await call('POST', '/api/v1/policies/rules/try', { as: tokens.admin, body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
});

test('a rule about roles is tried for the users whom the log keeps', async () => {
  await using keeping = await openTestService({ env: { BULWARK_ACTION_GUARD_LOG_TRACES: 'all' } });
  const as = keeping.tokens.admin;
  for (const roles of [['nurse'], ['clerk']])
    await keeping.call('POST', '/api/v1/guard_actions', {
      as,
      body: {
        session_history: {
          session_info: { user: { id: 'u', roles } },
          trace: [
            { role: 'agent', metadata: { tool_name: 'issue_refund', tool_params: { order: roles[0] } } },
          ],
        },
        session_id: 'roles',
        policy_id: 'agp_default',
      },
    });
  const rule = {
    when: {
      all: [
        { is: 'action', acts: ['refund'] },
        { is: 'role', roles: ['nurse'] },
      ],
    },
  };
  const { body } = await keeping.call('POST', '/api/v1/policies/rules/try', { as, body: { rule } });
  assert.deepEqual([body.logged.tried, body.logged.blocked, body.logged.allowed], [2, 1, 1]);
  assert.deepEqual(body.logged.broken[0].tool_params, { order: 'nurse' });
  assert.deepEqual([body.example.from, body.example.outcome], ['log', 'block']);
});
