import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import WebSocket from 'ws';
import { z } from 'zod';
import { defineOperation } from '../contract/operation.ts';
import { AppError } from '../errors.ts';
import { createHttpServer } from '../http/server.ts';
import { createLog } from '../log/log.ts';
import { acceptSockets, mountSocket, type SocketInput } from './sockets.ts';

const operation = defineOperation({
  method: 'GET',
  path: '/api/streams/{id}/ingest',
  tag: 'streams',
  summary: 'Frames',
  access: 'jwt_or_key',
  params: z.object({ id: z.string().max(20) }),
  query: z.object({ after: z.coerce.number().int().min(0).default(0) }),
  response: z.unknown(),
});
type Input = SocketInput<typeof operation, string>;

let handle: (input: Input) => Promise<void> = async () => {};
const errors: unknown[] = [];
const app = createHttpServer({
  service: 'test',
  log: createLog({ level: 'silent' }),
  bodyLimitBytes: 1000,
});
acceptSockets(app);
mountSocket<typeof operation, string>(app, operation, (input) => handle(input), {
  authenticate: async (_, headers) => {
    if (headers['x-api-key'] === 'key') return 'someone';
    throw new AppError(401, 'missing_auth', 'This operation needs a credential.');
  },
  authenticateByToken: async ({ query: { token } }) => (token === 'short-lived' ? 'by token' : undefined),
  allowedOrigins: ['https://console.example'],
  limits: { maxMessageBytes: 100_000, mostUnhandled: 4, mostBufferedBytes: 10_000, deadAfterMs: 200 },
  onError: (error) => errors.push(error),
});
const base = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws');
after(() => app.close());

const key = { 'x-api-key': 'key' };
function connect(path = '/api/streams/one/ingest', headers: Record<string, string> = key) {
  const socket = new WebSocket(base + path, { headers });
  const messages: string[] = [];
  socket.on('message', (data: Buffer) => messages.push(data.toString()));
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)] as const);
  return { socket, messages, closed };
}

async function refused(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(base + path, { headers });
  const [request, response] = await once(socket, 'unexpected-response');
  request.destroy();
  return response.statusCode;
}

test('an invalid or unauthorised connection is refused with an HTTP status before the WebSocket opens', async () => {
  const path = '/api/streams/one/ingest';
  assert.equal(await refused(path, {}), 401);
  assert.equal(await refused(path, { ...key, origin: 'https://evil.example' }), 403);
  assert.equal(await refused(`/api/streams/${'x'.repeat(30)}/ingest`, key), 422);
  assert.equal(await refused(`${path}?after=-1`, key), 422);
  assert.equal(await refused('/api/nothing', key), 404);
  const plain = await fetch(base.replace('ws', 'http') + path, { headers: key });
  assert.equal(plain.status, 426);
});

test('a socket handler gets the caller and validated input, exchanges messages, and closes the socket when it returns', async () => {
  handle = async ({ socket, caller, params, query }) => {
    await socket.send(JSON.stringify({ caller, params, query }));
    for await (const message of socket.messages()) {
      if (message === 'end') return;
      await socket.send(typeof message === 'string' ? message.toUpperCase() : message);
    }
  };
  for (const [path, headers, caller] of [
    ['?after=7', { ...key, origin: 'https://console.example' }, 'someone'],
    ['?after=7&token=short-lived', {}, 'by token'],
  ] as const) {
    const { socket, messages, closed } = connect(`/api/streams/one/ingest${path}`, headers);
    await once(socket, 'open');
    for (const message of ['a', Buffer.from('raw'), 'end']) socket.send(message);
    assert.deepEqual(await closed, [1000, '']);
    assert.deepEqual(
      [JSON.parse(messages[0]!), ...messages.slice(1)],
      [{ caller, params: { id: 'one' }, query: { after: 7 } }, 'A', 'raw'],
    );
  }
});

test('an oversized message, a client error and an internal error close the socket with different codes', async () => {
  handle = async ({ socket }) => {
    for await (const message of socket.messages()) {
      if (message === 'wrong') throw new AppError(400, 'bad_request', 'x'.repeat(200));
      if (message === 'broken') throw new Error('a secret');
    }
  };
  const cases: [string, number, RegExp][] = [
    ['y'.repeat(100_001), 4413, /100000 bytes/],
    ['wrong', 4400, /^x{120}$/],
    ['broken', 1011, /^Internal error/],
  ];
  for (const [message, code, reason] of cases) {
    const { socket, closed } = connect();
    await once(socket, 'open');
    socket.send(message);
    const [closeCode, said] = await closed;
    assert.equal(closeCode, code);
    assert.match(said, reason);
  }
  assert.equal(errors.length, 1);
});

test('a slow handler slows its peer down instead of filling memory', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let count = 0;
  handle = async ({ socket }) => {
    await held;
    for await (const message of socket.messages()) {
      if (message === 'end') return;
      count += 1;
    }
  };
  const { socket, closed } = connect();
  await once(socket, 'open');
  const frame = Buffer.alloc(90_000);
  for (let i = 0; i < 300; i += 1) socket.send(frame);
  // 27 MB do not fit into the buffers in between: the rest waits at the peer, which notices it.
  let before = -1;
  while (socket.bufferedAmount !== before) {
    before = socket.bufferedAmount;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(before > 5_000_000, `${before}`);
  release();
  socket.send('end');
  assert.equal((await closed)[0], 1000);
  assert.equal(count, 300);
});

test('a peer that never reads is disconnected with a reason, and optional messages to it are dropped', async () => {
  let outcome: unknown;
  let offered: boolean | undefined;
  const over = Promise.withResolvers<void>();
  handle = async ({ socket }) => {
    const chunk = 'z'.repeat(90_000);
    try {
      for (;;) {
        const sent = socket.send(chunk);
        offered = socket.offer('newest');
        await sent;
      }
    } catch (error) {
      outcome = error;
      throw error;
    } finally {
      over.resolve();
    }
  };
  const { socket } = connect();
  await once(socket, 'open');
  socket.pause();
  await over.promise;
  assert.equal((outcome as AppError).status, 408);
  assert.equal(offered, false);
  socket.terminate();
});

test('a peer that answers no ping is disconnected', async () => {
  const over = Promise.withResolvers<void>();
  handle = async ({ socket }) => {
    for await (const _ of socket.messages());
    over.resolve();
  };
  const { socket } = connect();
  await once(socket, 'open');
  socket.pause();
  await over.promise;
  socket.terminate();
});

test('sockets are closed when the service stops', async () => {
  handle = async ({ socket }) => {
    for await (const _ of socket.messages());
  };
  const { socket, closed } = connect();
  await once(socket, 'open');
  await app.close();
  assert.equal((await closed)[0], 1001);
});
