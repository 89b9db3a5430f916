import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { credentials } from '@grpc/grpc-js';
import { serverCredentials } from '#base/grpc/credentials.ts';
import { StartupError } from '#base/errors.ts';
import { makeAuthority } from '#base/grpc/fixtures/certificates.ts';
import { openTestService } from '../../fixtures/service.ts';
import { reflectedClient } from './fixtures/reflected-client.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-grpc-'));
after(() => rm(folder, { recursive: true }));

const authority = makeAuthority('Bulwark test authority');
const server = authority.issue('server');
const inFolder = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
const certFile = await inFolder('server.pem', server.cert);
const keyFile = await inFolder('server.key', server.key);
const caFile = await inFolder('ca.pem', authority.cert);
const tls = { BULWARK_GRPC_TLS_CERT_FILE: certFile, BULWARK_GRPC_TLS_KEY_FILE: keyFile };

const where = { service: 'test', host: '127.0.0.1', port: 0, portSetting: 'none' };
const ca = Buffer.from(authority.cert);

const healthBy = async (address: string, channel: ReturnType<typeof credentials.createSsl>) => {
  using client = await reflectedClient(address, 'grpc.health.v1.Health', channel);
  return (await client.call('Check', { service: '' })).answer;
};

test('with a configured certificate, gRPC accepts TLS only', async () => {
  await using service = await openTestService({ env: tls });
  const address = await service.guard.grpc.listen(where);
  assert.deepEqual(await healthBy(address, credentials.createSsl(ca)), { status: 'SERVING' });
  await assert.rejects(healthBy(address, credentials.createInsecure()), { code: 14 });
  const stranger = Buffer.from(makeAuthority('Somebody else').cert);
  await assert.rejects(healthBy(address, credentials.createSsl(stranger)), { code: 14 });
});

test('with a configured client CA, a client without its certificate is refused', async () => {
  await using service = await openTestService({ env: { ...tls, BULWARK_GRPC_TLS_CLIENT_CA_FILE: caFile } });
  const address = await service.guard.grpc.listen(where);
  const client = authority.issue('client');
  const known = credentials.createSsl(ca, Buffer.from(client.key), Buffer.from(client.cert));
  assert.deepEqual(await healthBy(address, known), { status: 'SERVING' });
  await assert.rejects(healthBy(address, credentials.createSsl(ca)), { code: 14 });
});

test('invalid certificate files fail the start with a message on how to fix it', async () => {
  const [tlsCertFile, tlsKeyFile, tlsClientCaFile] = [certFile, keyFile, caFile];
  const files = { tlsCertFile, tlsKeyFile, tlsClientCaFile: undefined };
  const none = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsClientCaFile: undefined };
  const otherKey = await inFolder('other.key', authority.issue('x').key);
  const cases: [files: Parameters<typeof serverCredentials>[0], says: RegExp][] = [
    [{ ...none, tlsCertFile }, /needs both BULWARK_GRPC_TLS_CERT_FILE and/],
    [{ ...none, tlsClientCaFile }, /needs both/],
    [{ ...files, tlsKeyFile: join(folder, 'no.key') }, /_TLS_KEY_FILE names .*no\.key, which cannot be read/],
    [{ ...files, tlsKeyFile: caFile }, /cannot be used/],
    [{ ...files, tlsKeyFile: otherKey }, /cannot be used/],
  ];
  for (const [wrong, says] of cases)
    assert.throws(
      () => serverCredentials(wrong),
      (error) => error instanceof StartupError && says.test(error.message),
      String(says),
    );
});

test('a port in use is named together with the variable that changes it', async () => {
  await using first = await openTestService();
  const port = Number((await first.guard.grpc.listen(where)).split(':')[1]);
  await using second = await openTestService();
  await assert.rejects(
    second.guard.grpc.listen({ ...where, port, portSetting: 'BULWARK_PORT_POLICY_GUARD_GRPC' }),
    (error: Error) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, new RegExp(`Port ${port} .* BULWARK_PORT_POLICY_GUARD_GRPC`));
      return true;
    },
  );
});
