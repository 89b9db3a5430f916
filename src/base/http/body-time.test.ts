import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fastify from 'fastify';
import { limitBodyTime } from './body-time.ts';

const app = fastify();
after(() => app.close());
limitBodyTime(app, { timeoutMs: 50, sweepMs: 10 });

test('a body that does not arrive in time ends its connection, and one that is there may be worked on', async () => {
  const cut = Promise.withResolvers<void>();
  app.post('/', async () => {
    await cut.promise;
    return 'answered';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answering = fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  // The request above was first, so it would have been ended first.
  const slow = connect(port, '127.0.0.1');
  slow.write(
    'POST / HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  slow.resume();
  await once(slow, 'close');
  cut.resolve();
  assert.equal(await (await answering).text(), 'answered');
});
