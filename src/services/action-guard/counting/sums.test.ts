import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService, type TestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const as = tokens.admin;

const perDay = 'No more than $500 of refunds per customer per day.';

async function makeSet(...descriptions: readonly string[]): Promise<string> {
  const rules = Object.fromEntries(
    descriptions.map((description, at) => [`limit_${at}`, { description, severity: 'High' }]),
  );
  const { body: policy } = await call('POST', '/api/v1/policies/policy', { as, body: { name: 'L', rules } });
  assert.ok(policy.policy_id, JSON.stringify(policy));
  const { body } = await call('POST', '/api/v1/policies/sets', {
    as,
    body: { name: 'L', policy_ids: [policy.policy_id] },
  });
  return body.policy_id;
}

let sessions = 0;

interface Asked {
  readonly tool?: string;
  readonly by?: TestService;
  readonly more?: Record<string, unknown>;
}

/** What is said of a call, each in a session of its own. */
async function ask(policyId: string, params: Record<string, unknown>, { tool, by, more }: Asked = {}) {
  const { status, body } = await (by ?? service).judge({
    policyId,
    tool: tool ?? 'issue_refund',
    params,
    sessionId: `s${(sessions += 1)}`,
    ...(more !== undefined && { more }),
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const passes = async (set: string, params: Record<string, unknown>, asked?: Asked): Promise<boolean> =>
  (await ask(set, params, asked)).allowed;

const forget = () => service.db.query("delete from action_guard.counted_calls where key = ''");

test('a limit on the sum holds over sessions, for each customer, and a refused call adds nothing', async () => {
  const set = await makeSet(perDay);
  assert.equal(await passes(set, { customer_id: 'C1', amount: 300 }), true);
  assert.equal(await passes(set, { customer_id: 'C1', amount: 201 }), false);
  assert.equal(await passes(set, { customer_id: 'C1', amount: 200 }), true);
  assert.equal(await passes(set, { customer_id: 'C1', amount: 0.01 }), false);
  assert.equal(await passes(set, { customer_id: 'C2', amount: 500 }), true);
  // Whom it is for is left out: that is no way around.
  assert.equal(await passes(set, { amount: 1 }), false);
  assert.equal(
    await passes(set, { customer_id: 'C3', amount: -501 }),
    false,
    'less than nothing makes no room',
  );
  assert.equal(await passes(set, { customer_id: 'C3', amount: -500 }), true);
  assert.equal(await passes(set, { customer_id: 'C3', amount: 1 }), false);
});

test('tenths add up to what people expect', async () => {
  const set = await makeSet('No more than $1 of refunds per customer per week.');
  const allowed: boolean[] = [];
  for (let at = 0; at < 11; at++) allowed.push(await passes(set, { customer_id: 'T', amount: 0.1 }));
  assert.deepEqual(allowed, [...Array.from({ length: 10 }, () => true), false]);
});

test('currencies are kept apart, and what is in another than the limit counts as beyond it', async () => {
  const set = await makeSet(perDay);
  const refused = await ask(set, { customer_id: 'C4', amount: 1, currency: 'EUR' });
  assert.equal(refused.allowed, false);
  assert.match(refused.violations_detail[0].reason, /different units/);
  assert.equal(await passes(set, { customer_id: 'C4', amount: 499, currency: 'USD' }), true);
  const bare = await makeSet(
    'Deny when it adds up, with those of its kind before it, to refund within a day for the same "customer" to a total of more than 500.',
  );
  assert.equal(await passes(bare, { customer_id: 'C5', amount: 10, currency: 'EUR' }), true);
  assert.equal(await passes(bare, { customer_id: 'C5', amount: 10, currency: 'EUR' }), true);
  assert.equal(await passes(bare, { customer_id: 'C5', amount: 10, currency: 'USD' }), false);
});

test('one payment in another currency that names nobody does not stop those of everybody', async () => {
  const set = await makeSet(
    'Deny when it adds up, with those of its kind before it, to pay within a month for the same "customer" to a total of more than 500.',
  );
  const pays = (params: Record<string, unknown>) => passes(set, params, { tool: 'pay_vendor' });
  assert.equal(await pays({ amount: '20 EUR' }), true);
  assert.equal(await pays({ customer_id: 'C60', amount: 100, currency: 'USD' }), true);
  assert.equal(await pays({ customer_id: 'C61', amount: 400, currency: 'USD' }), true);
  // What is in the same currency counts for everybody as before.
  assert.equal(await pays({ customer_id: 'C62', amount: '481 EUR' }), false);
  assert.equal(await pays({ customer_id: 'C62', amount: '480 EUR' }), true);
  const mixed = await ask(set, { customer_id: 'C60', amount: '5 EUR' }, { tool: 'pay_vendor' });
  assert.equal(mixed.allowed, false);
  assert.match(
    mixed.violations_detail[0].reason,
    /different units are added up: 5 EUR by this call, 100 USD before it, the latest by the call \S+ of \d{4}-\d\d-\d\d \S+ UTC\./,
  );
});

test('the reason of a sum names the latest call that was added, with its amount', async () => {
  const set = await makeSet(perDay);
  for (const amount of [120, 330]) await passes(set, { customer_id: 'C70', amount });
  const { violations_detail: broken } = await ask(set, { customer_id: 'C70', amount: 51 });
  assert.match(
    broken[0].reason,
    /^Together it is 501 within a day\. The latest before it is 330 by the call \S+ of /,
  );
});

test('a call whose amount nobody knows warns, and adds nothing', async () => {
  const set = await makeSet(perDay);
  const unknown = await ask(set, { customer_id: 'C6', order: 'O-1' });
  assert.equal(unknown.allowed, true);
  assert.match(unknown.warnings_detail[0].reason, /not known/);
  assert.equal(await passes(set, { customer_id: 'C6', amount: 500 }), true);
  const told = await ask(set, { customer_id: 'C6', amount: 1 });
  assert.equal(told.allowed, false);
  assert.match(
    told.violations_detail[0].reason,
    /Together it is 501 within a day\. .*What 1 of them added is not known\./,
  );
});

test('sizes are added up by whatever argument says them, in any unit', async () => {
  const set = await makeSet('At most 3 GB may be exported a week.');
  const exports = (params: Record<string, unknown>) => passes(set, params, { tool: 'export_table' });
  assert.equal(await exports({ table: 'a', size_mb: 1500 }), true);
  assert.equal(await exports({ table: 'b', size_bytes: 1_500_000_001 }), false);
  assert.equal(await exports({ table: 'b', size_bytes: 1_500_000_000 }), true);
  assert.equal(await exports({ table: 'c', file_size: '1 KB' }), false);
});

test('what is older than the window no longer counts', async () => {
  await forget();
  const set = await makeSet(perDay);
  assert.equal(await passes(set, { customer_id: 'C9', amount: 500 }), true);
  assert.equal(await passes(set, { customer_id: 'C9', amount: 500 }), false);
  await service.db.query(
    "update action_guard.counted_calls set at = at - interval '25 hours' where key = 'c9'",
  );
  assert.equal(await passes(set, { customer_id: 'C9', amount: 500 }), true);
});

test('calls that were logged before the rule was made are added up as well', async () => {
  const other = await makeSet('Never delete backups.');
  for (const amount of [100, 200])
    await passes(other, { customer_id: 'C7', amount }, { tool: 'book_course' });
  const set = await makeSet(
    'Deny when it adds up, with those of its kind before it, to book within a month for the same "customer" to a total of more than 400.',
  );
  assert.equal(await passes(set, { customer_id: 'C7', amount: 101 }, { tool: 'book_course' }), false);
  assert.equal(await passes(set, { customer_id: 'C7', amount: 100 }, { tool: 'book_course' }), true);
});

test('of many calls at once in two services exactly as many pass as the limit allows', async () => {
  await forget();
  await using other = await openTestService({ db: service.db });
  const set = await makeSet(perDay);
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, at) =>
      passes(set, { customer_id: 'C8', amount: 100 }, { by: at % 2 === 0 ? service : other }),
    ),
  );
  assert.equal(outcomes.filter(Boolean).length, 5);
  const [kept] = await service.db.query<{ amount: number }>(
    `select sum(amount)::float8 as amount from action_guard.counted_amounts where call_id in (
      select call_id from action_guard.counted_calls where key = 'c8')`,
  );
  assert.ok((kept?.amount ?? 0) % 500 === 0, JSON.stringify(kept));
});

test('a call that is judged twice under one id is added once', async () => {
  const set = await makeSet(perDay);
  const same = (callId: string) =>
    service.judge({
      policyId: set,
      tool: 'issue_refund',
      params: { customer_id: 'C20', amount: 250 },
      sessionId: 'one',
      more: { call_id: callId },
    });
  const allowed: boolean[] = [];
  for (const id of ['a', 'a', 'b', 'b', 'c']) allowed.push((await same(id)).body.allowed);
  assert.deepEqual(allowed, [true, true, true, true, false]);
});

test('two rules that name the same acts in another order count the same calls', async () => {
  const rule = (acts: string, most: number) =>
    `Deny when it adds up, with those of its kind before it, to ${acts} within a day to a total of more than ${most}.`;
  const set = await makeSet(rule('sell or charge', 100), rule('charge or sell', 150));
  assert.equal(await passes(set, { amount: 100 }, { tool: 'charge_card' }), true);
  const { allowed, violations_detail: broken } = await ask(set, { amount: 51 }, { tool: 'charge_card' });
  assert.deepEqual([allowed, broken.length + (broken[0].also?.length ?? 0)], [false, 2]);
});

test('what a sum takes is listed for editors, and what makes no sum is refused', async () => {
  const { body } = await call('GET', '/api/v1/policies/rules/predicates', { as });
  const kind = body.predicates.find(({ is }: { is: string }) => is === 'sum');
  assert.deepEqual(
    kind.fields.map(({ name, required }: { name: string; required: boolean }) => [name, required]),
    [
      ['of', false],
      ['acts', false],
      ['per', false],
      ['window', true],
      ['operator', true],
      ['value', true],
    ],
  );
  for (const [value, window, operator] of [
    ['many', 'day', 'over'],
    [{ argument: 'limit' }, 'day', 'over'],
    [5, 'session', 'over'],
    [5, 'day', 'under'],
  ]) {
    const { status } = await call('POST', '/api/v1/policies/policy', {
      as,
      body: {
        name: 'X',
        rules: { r: { severity: 'High', rule: { when: { is: 'sum', window, operator, value } } } },
      },
    });
    assert.equal(status, 422, JSON.stringify([value, window, operator]));
  }
});
