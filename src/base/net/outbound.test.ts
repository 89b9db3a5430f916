import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { addressCheck } from './addresses.ts';
import { openOutbound, readLimited } from './outbound.ts';

const servers: { close(): void }[] = [];
after(() => servers.forEach((server) => server.close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const production = { environment: 'production', allowPrivateNetwork: [] };
const development = { environment: 'development', allowPrivateNetwork: [] };

test('only public addresses are allowed, in every notation', () => {
  const allowed = addressCheck({ allowed: [], loopback: false });
  for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])
    assert.equal(allowed(address), true, address);
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'not an address',
  ])
    assert.equal(allowed(address), false, address);
});

test('the operator can allow networks by CIDR block, and development allows loopback', () => {
  const some = addressCheck({ allowed: ['10.0.0.0/8', 'fd00::/8'], loopback: true });
  for (const address of ['10.9.9.9', 'fd00::5', '127.0.0.1', '::1', '::ffff:127.0.0.1'])
    assert.equal(some(address), true, address);
  for (const address of ['192.168.0.1', '169.254.169.254', 'fe80::1'])
    assert.equal(some(address), false, address);
  assert.equal(addressCheck({ allowed: ['true'], loopback: false })('169.254.169.254'), true);
});

test('loopback literals, names and redirects are refused, and no request is sent', async () => {
  let asked = 0;
  const inside = await serve((_, response) => {
    asked += 1;
    response.end('secret');
  });
  await using outside = openOutbound(production);
  const port = new URL(inside).port;
  for (const url of [
    inside,
    `http://localhost:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://2130706433:${port}`,
  ])
    await assert.rejects(outside.request(url), { code: 'forbidden_address' }, url);
  await using developing = openOutbound(development);
  const redirecting = await serve((_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  );
  await assert.rejects(developing.request(redirecting, { maxRedirects: 3 }), { code: 'forbidden_address' });
  for (const url of ['file:///etc/passwd', 'ftp://example.com', 'nonsense'])
    await assert.rejects(developing.request(url), { status: 422 }, url);
  assert.equal(asked, 0);
});

test('another origin receives neither a body nor headers that may be secret, whatever they are called', async () => {
  const seen: { method: string | undefined; headers: Record<string, unknown>; body: string }[] = [];
  const target = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
      seen.push({ method: request.method, headers, body });
      response.end('there');
    });
  });
  const from = await serve((request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: target }).end(),
  );
  await using outbound = openOutbound(development);
  const send = {
    method: 'POST',
    headers: {
      authorization: 'Bearer x',
      'private-token': 'x',
      'api-key': 'x',
      'x-auth-token': 'x',
      'user-agent': 'here',
      accept: 'text/plain',
      'content-type': 'text/plain',
    },
    body: 'text',
    maxRedirects: 1,
  } as const;
  await assert.rejects(outbound.request(`${from}/307`, send), {
    code: 'redirected_elsewhere',
    detail: new RegExp(new URL(target).origin),
  });
  const { body: _, ...withoutBody } = send;
  for (const [status, sent] of [
    [302, send],
    [307, { ...withoutBody, method: 'GET' }],
  ] as const) {
    const answer = await outbound.request(`${from}/${status}`, sent);
    assert.equal(await readLimited(answer.body, 100), 'there');
  }
  const open = { 'user-agent': 'here', accept: 'text/plain' };
  assert.deepEqual(seen, [
    { method: 'GET', headers: open, body: '' },
    { method: 'GET', headers: { ...open, 'content-type': 'text/plain' }, body: '' },
  ]);
  await assert.rejects(outbound.request(`${from}/302`, { maxRedirects: 1, staysAtOrigin: true }), {
    code: 'redirected_elsewhere',
  });
  const near = await serve((request, response) => {
    if (request.url === '/') response.writeHead(307, { location: '/near' }).end();
    else response.end(String(request.headers['private-token']));
  });
  const stayed = await outbound.request(`${near}/`, { ...send, staysAtOrigin: true });
  assert.equal(await readLimited(stayed.body, 100), 'x', 'at the same origin everything is sent on');
  const { status, body } = await outbound.request(`${from}/302`);
  body.destroy();
  assert.equal(status, 302, 'redirects are followed only on request');
});

test('an endless response, a silent server and a closed port fail in time', async () => {
  const endless = await serve((_, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', write);
    write();
  });
  const silent = await serve(() => undefined);
  await using outbound = openOutbound(development);
  const { body } = await outbound.request(endless);
  await assert.rejects(readLimited(body, 50_000), { code: 'too_large' });
  await assert.rejects(outbound.request(silent, { headTimeoutMs: 50 }), { code: 'timed_out' });
  const reason = new Error('given up');
  await assert.rejects(outbound.request(silent, { signal: AbortSignal.timeout(50) }), {
    name: 'TimeoutError',
  });
  await assert.rejects(outbound.request(silent, { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(outbound.request('http://127.0.0.1:1'), { code: 'unreachable' });
});
