/** The audit trail as administrators read it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestIdentity } from '../testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser, clock, db, identity } = server;
const { access_token: root } = await login();
const acme = (await call('/auth/tenants', { token: root, body: { name: 'acme' } })).body;
const { id: chiefId, token: chief } = await addUser('chief', 'acme', ['admin']);
const { token: worker } = await addUser('worker', 'acme');

interface Event {
  readonly id: string;
  readonly at: string;
  readonly event: string;
  readonly user_name: string | null;
  readonly details: Record<string, unknown>;
}
const read = (token: string, query = '') => call(`/auth/audit-events${query}`, { token });
const trail = async (token: string, query = ''): Promise<Event[]> => {
  const { status, body } = await read(token, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.events;
};

test('an administrator reads the events of the tenant, newest first, with names; a member is refused', async () => {
  await call('/api/api-keys', { token: chief, body: { name: 'for the trail' } });
  const [newest, ...older] = await trail(chief);
  assert.equal(newest?.event, 'api_key_created');
  assert.equal(newest.user_name, 'chief');
  assert.equal(newest.details['name'], 'for the trail');
  assert.ok(older.every(({ at }, i) => at <= (older[i - 1]?.at ?? newest.at)));
  assert.ok(
    older.every(({ event }) => event !== 'tenant_created'),
    'that was done in system',
  );
  assert.equal((await read(worker)).status, 403);
  assert.equal((await call('/auth/audit-events')).status, 401);
});

test('events of another tenant are for administrators of system, and those of no tenant too', async () => {
  await call('/auth/login', { body: { username: 'nobody', password: 'x', tenant_name: 'nowhere' } });
  assert.ok((await trail(root)).some(({ event }) => event === 'login_failed'));
  assert.ok(!(await trail(chief)).some(({ event }) => event === 'login_failed'));
  const theirs = await trail(root, `?tenant_id=${acme.id}`);
  assert.deepEqual(theirs, await trail(chief));
  const [event] = await trail(root, '?event=tenant_created');
  assert.ok(event !== undefined);
  const system = (await call('/auth/tenants', { token: root })).body.tenants.find(
    ({ name }: { name: string }) => name === 'system',
  );
  assert.equal((await read(chief, `?tenant_id=${system.id}`)).status, 404);
  assert.deepEqual(await trail(chief, `?before=${event.id}`), [], 'an event out of sight leads nowhere');
});

test('the trail is filtered by event, user and time, and read page by page without gap or repetition', async () => {
  const begin = clock.now() + 1000;
  clock.advance(1000);
  for (let i = 0; i < 25; i++) {
    // Several in one moment: their ids tell them apart.
    if (i % 4 === 0) clock.advance(1);
    await identity.audit(
      {
        event: i % 5 === 0 ? 'gateway_started' : 'gateway_stopped',
        tenantId: acme.id,
        userId: chiefId,
        details: { number: i },
      },
      db,
    );
  }
  const since = `start=${new Date(begin).toISOString()}`;
  const all = await trail(chief, `?${since}&limit=1000`);
  assert.equal(all.length, 25);
  const pages: Event[] = [];
  for (let before = ''; ;) {
    const page = await trail(chief, `?${since}&limit=10${before}`);
    if (page.length === 0) break;
    pages.push(...page);
    before = `&before=${page.at(-1)?.id}`;
  }
  assert.deepEqual(pages, all);
  assert.equal((await trail(chief, `?${since}&event=gateway_started`)).length, 5);
  assert.equal((await trail(chief, `?${since}&event=gateway`)).length, 25);
  assert.equal((await trail(chief, `?${since}&event=gate`)).length, 0, 'whole words only');
  assert.equal((await trail(chief, `?${since}&user_id=${chiefId}`)).length, 25);
  assert.equal((await trail(chief, `?${since}&user_id=${acme.id}`)).length, 0);
  assert.equal((await trail(chief, `?end=${new Date(begin).toISOString()}&event=gateway`)).length, 0);
  for (const bad of ['event=%25', 'event=a%27', 'user_id=x', 'start=yesterday', 'before=x', 'limit=1001'])
    assert.equal((await read(chief, `?${bad}`)).status, 422, bad);
});

test('the trail is exported as CSV and as lines of JSON, under the filter and page by page, formulas defused', async () => {
  const names = [
    '=HYPERLINK("https://example.com")',
    '+1',
    '-2',
    '@SUM(A1)',
    '\t=1',
    ' =1+1',
    'plain, "quoted"',
  ];
  for (const id of names)
    await identity.audit(
      {
        event: 'scan_shared',
        tenantId: acme.id,
        userId: chiefId,
        request: { id, ip: '127.0.0.1' },
      },
      db,
    );
  for (let number = 0; number < 1100; number++)
    await identity.audit(
      { event: 'scan_counted', tenantId: acme.id, userId: chiefId, details: { number } },
      db,
    );
  const csv = await call('/auth/audit-events/export/csv?event=scan_shared', { token: chief });
  assert.equal(csv.status, 200);
  const [header, ...lines] = String(csv.body).trimEnd().split('\r\n');
  assert.equal(header, 'id,at,event,user_id,user_name,address,request_id,details');
  assert.deepEqual(lines.map((line) => line.split(',127.0.0.1,')[1]).toReversed(), [
    `"'=HYPERLINK(""https://example.com"")",{}`,
    "'+1,{}",
    "'-2,{}",
    "'@SUM(A1),{}",
    "'\t=1,{}",
    "' =1+1,{}",
    '"plain, ""quoted""",{}',
  ]);

  const all = await call('/auth/audit-events/export/jsonl?event=scan', { token: chief });
  const events = String(all.body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
  assert.equal(events.length, 1100 + names.length);
  assert.deepEqual(events.slice(0, 1000), await trail(chief, '?event=scan&limit=1000'));
  for (const path of ['/export/csv', '/export/jsonl']) {
    assert.equal((await read(worker, path)).status, 403);
    assert.equal((await read(chief, `${path}?event=%25`)).status, 422);
  }
});
