import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestKey } from '#identity/test-people.ts';
import { sharersOf, testSharing, type Attempt, type Who } from '../../../test/fixtures/sharing.ts';
import { startChangeable } from '../../../test/fixtures/mcp-servers/changeable.ts';
import { modernRequest } from '../../../test/fixtures/modern-request.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

const who = await sharersOf(call, tokens);

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

async function useThing(kind: Kind, { status, read, change, label }: Attempt): Promise<void> {
  for (const end of kinds[kind].uses) assert.equal(await status('GET', end), read, `${label} ${end}`);
  for (const end of kinds[kind].keeps) assert.equal(await status('GET', end), change, `${label} ${end}`);
}

test('who signed in at a private server is not told to colleagues, also where a gateway uses the server', async () => {
  const server = await make('MCP server');
  const gateway = await make('gateway');
  await service.db.query(
    `insert into agent_gateway.attachments (gateway_id, server_id, tool_prefix, attached_at) values ($1, $2, 'x__', now())`,
    [gateway.id, server.id],
  );
  for (const path of ['', '/authorizations'])
    assert.equal(
      (await call('GET', `/api/mcp-servers/${server.id}${path}`, { as: who.colleague })).status,
      404,
    );
  assert.equal(
    (await call('GET', `/api/mcp-servers/${server.id}/authorizations`, { as: who.owner })).status,
    200,
  );
});

async function startAndStop({ status, change, label }: Attempt): Promise<void> {
  for (const end of ['/start', '/stop']) assert.equal(await status('POST', end), change, `${label} ${end}`);
}

/** An unreachable server is not attached; one that may not be read does not exist. */
async function attach({ as, id, read, label }: Attempt): Promise<void> {
  if (as === 'stranger') return;
  const gateway = await make('gateway', {}, as);
  const path = `/api/gateways/${gateway.id}/mcp-servers/${id}`;
  const attached = await call('POST', path, { as: who[as], body: {} });
  assert.equal(attached.status === 404, read === 404, `${label} ${attached.status}`);
}

for (const [kind, act] of [
  ['gateway', startAndStop],
  ['MCP server', attach],
] as const) {
  const { path, change: changeBy, by: ownerName } = kinds[kind];
  testSharing(
    kind,
    {
      path,
      items: 'items',
      id: 'id',
      ownerName,
      changeBy,
      listAll: ['', '?owner=all'],
      make: async (sent) => (await make(kind, sent)).id,
      async more(attempt) {
        await useThing(kind, attempt);
        await act(attempt);
      },
    },
    call,
    who,
  );
}

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

test('a gateway uses a server of another user only while it is shared, unless an administrator attached it', async () => {
  using upstream = await startChangeable('theirs', { read: 'Reads.' });
  const address = { transport: 'http', connection_url: upstream.url };
  const server = await make('MCP server', { ...address, visibility: 'tenant' });
  const gatewayOf = async (as: Who, attaching: Who = as) => {
    const gateway = await make('gateway', {}, as);
    const path = `/api/gateways/${gateway.id}`;
    const attached = await call('POST', `${path}/mcp-servers/${server.id}`, { as: who[attaching], body: {} });
    assert.equal(attached.status, 201, JSON.stringify(attached.body));
    assert.equal((await call('POST', `${path}/start`, { as: who[as] })).status, 200);
    const seen = async () => {
      const listed = await modernRequest(
        `${service.url}${path}/mcp`,
        { authorization: `Bearer ${who[as]}` },
        'tools/list',
      );
      const { result } = (await listed.json()) as { result: { tools: unknown[] } };
      const { items } = (await call('GET', `${path}/mcp-servers`, { as: who[as] })).body;
      return [items[0].usable, result.tools.length];
    };
    return seen;
  };
  const gateways = {
    own: await gatewayOf('owner'),
    ofColleague: await gatewayOf('colleague'),
    ofAdministrator: await gatewayOf('administrator'),
    byAdministrator: await gatewayOf('colleague', 'administrator'),
  };
  const seen = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(gateways).map(async ([name, see]) => [name, await see()])),
    ) as Record<string, unknown>;
  const all = [true, 1];
  const everywhere = { own: all, ofColleague: all, ofAdministrator: all, byAdministrator: all };
  assert.deepEqual(await seen(), everywhere);
  const share = async (visibility: string) => {
    const path = `/api/mcp-servers/${server.id}`;
    assert.equal((await call('PUT', path, { as: who.owner, body: { visibility } })).status, 200);
  };
  await share('private');
  assert.deepEqual(await seen(), { ...everywhere, ofColleague: [false, 0] });
  await share('tenant');
  assert.deepEqual(await seen(), everywhere);
});

test('who shares a server is not told of the private gateways in which others use it', async () => {
  using upstream = await startChangeable('unlisted', { read: 'Reads.' });
  const shared = { transport: 'http', connection_url: upstream.url, visibility: 'tenant' };
  const server = await make('MCP server', shared);
  const gateway = await make('gateway', {}, 'colleague');
  const path = `/api/gateways/${gateway.id}/mcp-servers/${server.id}`;
  const attached = await call('POST', path, { as: who.colleague, body: {} });
  assert.equal(attached.status, 201, JSON.stringify(attached.body));
  const told = async (as: Who) => {
    const one = (await call('GET', `/api/mcp-servers/${server.id}`, { as: who[as] })).body;
    const listed = (await call('GET', '/api/mcp-servers?owner=all', { as: who[as] })).body.items;
    const { gateway_ids: ids } = listed.find(({ id }: { id: string }) => id === server.id);
    assert.deepEqual(one.gateway_ids, ids);
    assert.deepEqual(
      one.gateways.map(({ id }: { id: string }) => id),
      ids,
    );
    return ids;
  };
  assert.deepEqual(await told('owner'), []);
  assert.deepEqual(await told('colleague'), [gateway.id]);
  assert.deepEqual(await told('administrator'), [gateway.id]);
});
