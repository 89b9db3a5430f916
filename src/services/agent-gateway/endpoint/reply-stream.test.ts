import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { notification, success } from '#mcp/json-rpc.ts';
import { replyStream } from './reply-stream.ts';

test('what a server still says after the answer is dropped, also while the client has yet to read it', async () => {
  const note = notification('notifications/message', { level: 'info', data: 'late' });
  const late: boolean[] = [];
  const server = createServer((_request, response) => {
    const reply = replyStream({ response, headers: {}, takesEvents: true });
    assert.equal(reply.send(note), true);
    // More than the socket takes at once: the response has ended, and is not finished.
    reply.finish(200, success(1, { text: 'x'.repeat(20_000_000) }));
    late.push(reply.send(note));
    reply.finish(200, success(1, {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.pause();
  after(() => {
    client.destroy();
    server.close();
  });
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n');
  await once(server, 'request');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(late, [false]);
});
