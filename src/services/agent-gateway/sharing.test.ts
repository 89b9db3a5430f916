import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestColleague, addTestKey } from '#identity/test-people.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

/** The owner is a member; the administrator owns nothing. */
const who = {
  owner: tokens.member,
  colleague: await addTestColleague(call, tokens.admin),
  administrator: tokens.admin,
  stranger: tokens.stranger,
};
type Who = keyof typeof who;

const kinds = {
  gateway: {
    path: '/api/gateways',
    change: 'PATCH',
    by: 'created_by_name',
    body: { name: 'Shared gateway' },
    uses: ['/status', '/mcp-servers', '/oauth/consents'],
    keeps: ['/calls', '/approvals', '/tool-pins'],
  },
  'MCP server': {
    path: '/api/mcp-servers',
    change: 'PUT',
    by: 'registered_by_name',
    body: { name: 'Shared server', transport: 'http', connection_url: 'http://127.0.0.1:9/mcp' },
    uses: ['/tools', '/resources'],
    keeps: [],
  },
} as const;
type Kind = keyof typeof kinds;

interface Made {
  readonly id: string;
  readonly [field: string]: unknown;
}

const make = async (kind: Kind, sent: object = {}, as: Who = 'owner'): Promise<Made> => {
  const { path, body } = kinds[kind];
  const made = await call('POST', path, { as: who[as], body: { ...body, ...sent } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
};

/** Status of reading, and of changing and deleting; whether the list contains it. */
const expected: Record<'private' | 'tenant', Record<Who, readonly [number, boolean, number]>> = {
  private: {
    owner: [200, true, 200],
    administrator: [200, true, 200],
    colleague: [404, false, 404],
    stranger: [404, false, 404],
  },
  tenant: {
    owner: [200, true, 200],
    administrator: [200, true, 200],
    colleague: [200, true, 403],
    stranger: [404, false, 404],
  },
};

for (const kind of ['gateway', 'MCP server'] as const)
  for (const visibility of ['private', 'tenant'] as const)
    test(`a ${kind} that is ${visibility === 'private' ? 'private' : 'shared with the tenant'} can be read and changed only by those it is for`, async () => {
      const { path, change: method, by, uses, keeps } = kinds[kind];
      const made = await make(kind, { visibility });
      const id = made.id as string;
      assert.deepEqual([made['visibility'], made[by]], [visibility, 'member']);
      for (const [as, [read, isListed, change]] of Object.entries(expected[visibility]) as [
        Who,
        readonly [number, boolean, number],
      ][]) {
        const label = `${as}, ${visibility}`;
        const status = async (verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', end = '', body?: object) =>
          (await call(verb, `${path}/${id}${end}`, { as: who[as], ...(body && { body }) })).status;
        const listed = async (query: string) =>
          (await call('GET', `${path}${query}`, { as: who[as] })).body.items.some(
            (each: { id: string }) => each.id === id,
          );
        assert.equal(await status('GET'), read, label);
        assert.equal(await listed(''), isListed, label);
        assert.equal(await listed('?owner=all'), isListed, label);
        assert.equal(await listed('?owner=me'), as === 'owner', label);
        for (const end of uses) assert.equal(await status('GET', end), read, `${label} ${end}`);
        for (const end of keeps) assert.equal(await status('GET', end), change, `${label} ${end}`);
        assert.equal(await status(method, '', { name: 'Changed' }), change, label);
        if (change !== 200) {
          assert.equal(await status(method, '', { visibility: 'tenant' }), change, label);
          assert.equal(await status('DELETE'), change, label);
        }
        if (kind === 'gateway') {
          for (const end of ['/start', '/stop'])
            assert.equal(await status('POST', end), change, `${label} ${end}`);
        } else if (as !== 'stranger') {
          const gateway = await make('gateway', {}, as);
          const attached = await call('POST', `/api/gateways/${gateway.id}/mcp-servers/${id}`, {
            as: who[as],
            body: {},
          });
          // An unreachable server is not attached; one that may not be read does not exist.
          assert.equal(attached.status === 404, read === 404, `${label} ${attached.status}`);
        }
      }
      assert.equal((await call('DELETE', `${path}/${id}`, { as: who.administrator })).status, 200);
    });

test('without a visibility the default is private', async () => {
  for (const kind of ['gateway', 'MCP server'] as const)
    assert.equal((await make(kind))['visibility'], 'private');
});

test('an API key has the permissions of its user', async () => {
  const key = await addTestKey(service.db, 'colleague');
  for (const kind of ['gateway', 'MCP server'] as const) {
    const ids = [
      (await make(kind, { visibility: 'tenant' })).id,
      (await make(kind)).id,
      (await make(kind, {}, 'colleague')).id,
    ];
    const statuses = async (method: 'GET' | 'DELETE') =>
      Promise.all(ids.map(async (id) => (await call(method, `${kinds[kind].path}/${id}`, { key })).status));
    assert.deepEqual(await statuses('GET'), [200, 404, 200]);
    assert.deepEqual(await statuses('DELETE'), [403, 404, 200]);
  }
});

test('connection details of a private server are hidden from users who can only read its gateway', async () => {
  const gateway = await make('gateway', { visibility: 'tenant' });
  const server = await make('MCP server');
  await service.db.query(
    `insert into agent_gateway.attachments (gateway_id, server_id, tool_prefix, attached_at) values ($1, $2, '', now())`,
    [gateway.id, server.id],
  );
  const attached = async (as: Who) =>
    (await call('GET', `/api/gateways/${gateway.id}/mcp-servers`, { as: who[as] })).body.items[0];
  const shown = await attached('owner');
  assert.deepEqual([shown.readable, shown.connection_url], [true, 'http://127.0.0.1:9/mcp']);
  const hidden = await attached('colleague');
  assert.deepEqual(
    [hidden.name, hidden.registered_by_name, hidden.readable, hidden.connection_url],
    ['Shared server', 'member', false, null],
  );
});

test('a gateway shows the name of its policy set, also to users who cannot open the set', async () => {
  const set = await service.policySet('Never delete files.');
  const gateway = await make(
    'gateway',
    { action_guard_policy_id: set, visibility: 'tenant' },
    'administrator',
  );
  const { body } = await call('GET', `/api/gateways/${gateway.id}`, { as: who.colleague });
  assert.equal(typeof body.action_guard_policy_name, 'string');
  const path = `/api/gateways/${gateway.id}`;
  const without = { as: who.administrator, body: { action_guard_policy_id: null } };
  assert.equal((await call('PATCH', path, without)).body.action_guard_policy_name, null);
});

test('access rules show the names of users of the tenant, and of nobody else', async () => {
  const idOf = async (as: Who) => (await call('GET', '/auth/me', { as: who[as] })).body.id as string;
  const [owner, colleague, stranger] = await Promise.all([
    idOf('owner'),
    idOf('colleague'),
    idOf('stranger'),
  ]);
  const control = {
    default: 'deny',
    rules: [
      { principals: ['member', colleague, stranger], effect: 'allow' },
      { principals: [owner, 'f*', '00000000-0000-4000-8000-000000000000'], effect: 'deny' },
    ],
  };
  const names = { [owner]: 'member', [colleague]: 'colleague' };
  const gateway = await make('gateway', { access_control: control, visibility: 'tenant' });
  assert.deepEqual(gateway['principal_names'], names);
  const path = `/api/gateways/${gateway.id}`;
  const { body: read } = await call('GET', path, { as: who.colleague });
  assert.deepEqual(read.principal_names, names);
  const { body: list } = await call('GET', '/api/gateways?limit=1000', { as: who.colleague });
  assert.deepEqual(list.items.find(({ id }: Made) => id === gateway.id).principal_names, names);
  const tried = { ...control, rules: [{ principals: [colleague], effect: 'deny' }] };
  const preview = { principals: [{ roles: ['member'] }], access_control: tried };
  const { body: previewed } = await call('POST', `${path}/access-preview`, { as: who.owner, body: preview });
  assert.deepEqual(previewed.principal_names, { [colleague]: 'colleague' });
});
