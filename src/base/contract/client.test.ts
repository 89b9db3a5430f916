import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { createClient } from './client.ts';
import { defineOperation } from './operation.ts';

const read = defineOperation({
  method: 'GET',
  path: '/thing',
  tag: 'Things',
  summary: 'A thing',
  access: 'public',
  response: z.object({ name: z.string() }),
});

/** The result of calling a server that responds like this. */
async function asked(answer: RequestListener, timeoutMs = 30_000): Promise<unknown> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await createClient({ read }, { baseUrl, timeoutMs })
      .read()
      .catch((error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : error));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the client returns the documented response or throws an error with status and code', async () => {
  assert.deepEqual(await asked((_, response) => response.end('{"name":"n"}')), { name: 'n' });
  assert.equal(await asked((_, response) => response.writeHead(409).end('{"detail":"no"}')), '409 refused');
  for (const other of ['<html>A proxy</html>', '{"title":"another service"}', ''])
    assert.equal(await asked((_, response) => response.end(other)), '502 unexpected_answer');
  assert.equal(await asked((request) => request.socket.destroy()), '503 unreachable');
});

test('a service that does not respond, or stops in the middle of its response, fails with 504 or 503 in time', async () => {
  assert.equal(await asked(() => undefined, 200), '504 timed_out');
  assert.equal(await asked((_, response) => response.write('{"na'), 200), '504 timed_out');
  const cutOff = await asked((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"na', () => response.destroy());
  });
  assert.equal(cutOff, '503 unreachable');
});
