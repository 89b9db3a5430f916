/** Who is let in at a gateway: clients with a credential that was made for it, no token of a sign-in to the product. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key, tokens } = service;

test('a token of /auth/login is refused with a sentence that says what to send; an API key is taken', async () => {
  const { gatewayId } = await service.gateway([{ server: stdioServer('./said.ts'), prefix: '' }]);
  const path = `/api/gateways/${gatewayId}/mcp`;
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const headers = { accept: 'application/json, text/event-stream' };
  const refused = [
    await call('POST', path, { as: tokens.admin, body, headers }),
    await call('GET', path, { as: tokens.admin, headers: { accept: 'text/event-stream' } }),
    await call('DELETE', path, { as: tokens.admin }),
  ];
  for (const { status, body: answer, headers: sent } of refused) {
    assert.equal(status, 401);
    assert.match(sent.get('www-authenticate') ?? '', /^Bearer error="invalid_token", resource_metadata="/);
    assert.match(
      answer.detail,
      /not for a gateway\. Send an API key as X-API-Key, or sign in at the gateway/,
    );
  }
  assert.equal((await call('POST', path, { key, body, headers })).status, 200);
  assert.equal((await call('GET', path, { as: tokens.admin })).body.status, 'running', 'pages ask for this');
});
