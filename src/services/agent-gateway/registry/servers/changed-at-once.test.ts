import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

async function register(): Promise<string> {
  const { body } = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'Desk', transport: 'http', connection_url: 'https://desk.example/mcp' },
  });
  return `/api/mcp-servers/${body.id}`;
}

test('two changes of a server at once are both kept', async () => {
  const path = await register();
  for (let round = 1; round <= 20; round++) {
    const name = `Desk ${round}`;
    const address = `https://desk-${round}.example/mcp`;
    const answers = await Promise.all(
      [{ name }, { connection_url: address }].map((body) => call('PUT', path, { key, body })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const { body } = await call('GET', path, { key });
    assert.deepEqual([body.name, body.connection_url], [name, address]);
  }
});

test('a server that is deleted meanwhile is not changed', async () => {
  const path = await register();
  const [removed, changed] = await Promise.all([
    call('DELETE', path, { key }),
    call('PUT', path, { key, body: { name: 'Gone' } }),
  ]);
  assert.ok([200, 204].includes(removed.status), `${removed.status}`);
  assert.ok([200, 404].includes(changed.status), `${changed.status}`);
  const after = await call('PUT', path, { key, body: { name: 'Gone' } });
  assert.equal(after.status, 404);
});
