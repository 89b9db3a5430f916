import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { notification, success } from '#mcp/json-rpc.ts';
import { maxUnreadBytes, replyStream } from './reply-stream.ts';

/** A client that sends a request and never reads the response. */
async function neverReads(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.pause().on('error', () => undefined);
  after(() => {
    client.destroy();
    server.close();
  });
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n');
  await once(server, 'request');
  await new Promise((resolve) => setTimeout(resolve, 50));
}

test('notifications after the response are dropped, also while the client has not read it yet', async () => {
  const note = notification('notifications/message', { level: 'info', data: 'late' });
  const late: boolean[] = [];
  await neverReads((_request, response) => {
    const reply = replyStream({ response, headers: {}, takesEvents: true });
    assert.equal(reply.send(note), true);
    // More than the socket buffers: the response has ended, but is not sent completely.
    reply.finish(200, success(1, { text: 'x'.repeat(20_000_000) }));
    late.push(reply.send(note));
    reply.finish(200, success(1, {}));
  });
  assert.deepEqual(late, [false]);
});

test('a client that does not read is disconnected, and its call is cancelled', async () => {
  const note = notification('notifications/message', { level: 'info', data: 'x'.repeat(100_000) });
  let gone: AbortSignal | undefined;
  let waiting = 0;
  await neverReads((_request, response) => {
    const reply = replyStream({ response, headers: {}, takesEvents: true });
    gone = reply.gone;
    for (let i = 0; i < 1000 && reply.send(note); i += 1)
      waiting = Math.max(waiting, response.writableLength);
  });
  assert.equal(gone?.aborted, true);
  assert.ok(waiting < maxUnreadBytes + 200_000, `${waiting} bytes waited`);
});
