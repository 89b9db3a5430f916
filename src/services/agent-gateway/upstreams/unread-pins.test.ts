import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key, db } = service;

test('a gateway whose pins cannot be read works again as soon as they can', async () => {
  const { mcpUrl, gatewayId } = await service.gateway(
    [{ server: stdioServer('./hostile.ts', 'recording'), prefix: '' }],
    { pin_tools: 'block' },
  );
  const names = async () => {
    const response = await modernRequest(mcpUrl, { 'x-api-key': key }, 'tools/list');
    const { result } = (await response.json()) as { result?: { tools: { name: string }[] } };
    return result?.tools.map(({ name }) => name);
  };
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
  await db.query('alter table agent_gateway.tool_pins rename to tool_pins_away');
  await call('POST', `/api/gateways/${gatewayId}/start`, { key });
  assert.equal(await names(), undefined);
  await db.query('alter table agent_gateway.tool_pins_away rename to tool_pins');
  assert.deepEqual(await names(), ['act']);
});
