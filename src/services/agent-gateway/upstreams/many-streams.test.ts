/** Streams that servers keep open use no slots of calls: any number of gateways can be in front of one server. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { modernMessage } from '../../../../test/fixtures/modern-request.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
const upstream = await startHttp('./complete.ts', '--modern');
after(async () => {
  await service[Symbol.asyncDispose]();
  upstream[Symbol.dispose]();
});
const { call, key } = service;

test('seventy gateways in front of one HTTP server all run, and each call is answered', async () => {
  const send = async (method: 'POST' | 'GET', path: string, body?: object) => {
    const answer = await call(method, path, { key, ...(body !== undefined && { body }) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const server = await send('POST', '/api/mcp-servers', {
    name: 'one',
    transport: 'http',
    connection_url: upstream.url,
  });
  const ids: string[] = [];
  for (let i = 0; i < 70; i += 1) {
    const { id } = await send('POST', '/api/gateways', { name: `Gateway ${i}` });
    await send('POST', `/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
    await send('POST', `/api/gateways/${id}/start`);
    ids.push(id);
  }
  const answers = await Promise.all(
    ids.map((id) =>
      call('POST', `/api/gateways/${id}/mcp`, {
        key,
        ...modernMessage('tools/call', { name: 'echo', arguments: { message: id } }),
      }),
    ),
  );
  assert.deepEqual(
    answers.map(({ body }) => body.result.content[0].text),
    ids,
  );
});
