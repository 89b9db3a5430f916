import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../log/log.ts';
import { listen } from './listen.ts';
import { createHttpServer } from './server.ts';

test('X-Forwarded-For is used only when it comes from a trusted proxy', async () => {
  const callerOf = async (trustedProxies: readonly string[] | undefined, forwarded: string) => {
    const app = createHttpServer({
      service: 'test',
      log: createLog({ level: 'silent' }),
      bodyLimitBytes: 1024,
      ...(trustedProxies && { trustedProxies }),
    });
    app.get('/', ({ ip }) => ({ ip }));
    const response = await app.inject({
      url: '/',
      remoteAddress: '10.1.2.3',
      headers: { 'x-forwarded-for': forwarded },
    });
    return response.json<{ ip: string }>().ip;
  };
  const proxies = ['10.1.0.0/16', '127.0.0.1'];
  assert.equal(await callerOf(proxies, '203.0.113.9'), '203.0.113.9');
  assert.equal(
    await callerOf(proxies, '198.51.100.1, 203.0.113.9'),
    '203.0.113.9',
    'entries before the proxy may be forged',
  );
  for (const none of [undefined, [], ['10.2.0.0/16']])
    assert.equal(await callerOf(none, '203.0.113.9'), '10.1.2.3');
});

test('idle connections without a request do not keep the server from closing', async () => {
  const app = createHttpServer({
    service: 'test',
    log: createLog({ level: 'silent' }),
    bodyLimitBytes: 1024,
  });
  app.get('/', () => ({ there: true }));
  const url = await listen(app, { service: 'test', host: '127.0.0.1', port: 0, portSetting: 'none' });
  const { port } = new URL(url);
  const idle = connect(Number(port), '127.0.0.1');
  await once(idle, 'connect');
  assert.equal((await fetch(url)).status, 200);
  const closed = app.close();
  const late = sleep(20_000, 'late', { ref: false });
  assert.notEqual(await Promise.race([closed, late]), 'late');
  idle.destroy();
});
