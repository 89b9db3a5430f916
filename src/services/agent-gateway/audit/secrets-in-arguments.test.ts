/** Secrets among the arguments of a call, wherever they stand: the audit log keeps none of them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openLegacyClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

test('tokens in commands, JSON within texts, short names and card numbers are not kept; the rest is', async () => {
  const { mcpUrl, gatewayId } = await service.gateway([{ server: stdioServer('./said.ts'), prefix: '' }]);
  await using client = await openLegacyClient({ mcpUrl, key });
  await client.call('told', {
    command: 'curl -H "Authorization: Bearer abcdef123456" https://a.example',
    header: 'Authorization: Basic dXNlcjpwYXNz',
    json: JSON.stringify({ password: 'inner7', deeper: JSON.stringify([{ pwd: 'inner8' }]), name: 'Ada' }),
    pwd: 'third5',
    pin: 4917,
    card: '4111 1111 1111 1111',
    cards: [4_111_111_111_111_111, 'paid with 5500-0000-0000-0004 today'],
    pinned: 'a pin board',
    order: '4111 1111 1111 1112',
    saidOf: 'the bearer of this letter',
    plain: '{"a": 1}',
  });
  const { body } = await call('GET', `/api/gateways/${gatewayId}/calls`, { key });
  const entry = await call('GET', `/api/calls/${body.calls[0].id}`, { key });
  const kept = JSON.stringify(entry.body);
  assert.doesNotMatch(kept, /abcdef|dXNlc|inner7|inner8|third5|4917|1111 1111 1111 1111|4111111|5500/);
  for (const rest of ['curl -H', 'Ada', 'a pin board', '4111 1111 1111 1112', 'the bearer of this letter'])
    assert.ok(kept.includes(rest), `${rest}: ${kept}`);
});
