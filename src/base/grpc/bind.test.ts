import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { StartupError } from '../errors.ts';
import { bind, bindAll } from './bind.ts';

const credentials = ServerCredentials.createInsecure();

/** Another program that listens. */
async function listening(host: string): Promise<{ port: number } & AsyncDisposable> {
  const other = createServer().listen(0, host);
  await once(other, 'listening');
  return {
    port: (other.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      other.close();
      await once(other, 'close');
    },
  };
}

function grpcServer(): { server: Server } & Disposable {
  const server = new Server();
  return { server, [Symbol.dispose]: () => server.forceShutdown() };
}

for (const [taken, host] of [
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['127.0.0.1', '0.0.0.0'],
  ['127.0.0.1', 'localhost'],
] as const)
  test(`a port that is taken on ${taken} is refused on ${host}, with the setting to change`, async () => {
    await using other = await listening(taken);
    using grpc = grpcServer();
    const where = { service: 'test', host, port: other.port, portSetting: 'BULWARK_PORT_TEST' };
    await assert.rejects(bind(grpc.server, credentials, where), (error) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, new RegExp(`Port ${other.port} .*BULWARK_PORT_TEST`));
      return true;
    });
  });

test('a port that is taken on the second of two addresses is refused', async () => {
  await using other = await listening('127.0.0.2');
  using grpc = grpcServer();
  await assert.rejects(
    bindAll(grpc.server, credentials, ['127.0.0.1', '127.0.0.2'], other.port),
    /EADDRINUSE/,
  );
});

test('addresses that this machine does not have are passed over, if there is another', async () => {
  using grpc = grpcServer();
  // 192.0.2.0/24 is for documentation: nobody has such an address.
  const port = await bindAll(grpc.server, credentials, ['192.0.2.1', '127.0.0.1', '127.0.0.2'], 0);
  assert.ok(port > 0);
  using none = grpcServer();
  await assert.rejects(bindAll(none.server, credentials, ['192.0.2.1'], 0), /EADDRNOTAVAIL/);
});

test('a host without an address is a start error', async () => {
  using grpc = grpcServer();
  const where = { service: 'test', host: 'nowhere.invalid', port: 0, portSetting: 'none' };
  await assert.rejects(
    bind(grpc.server, credentials, where),
    (error) => error instanceof StartupError && /test cannot listen for gRPC/.test(error.message),
  );
});
