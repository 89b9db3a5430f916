import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../log/log.ts';
import { listen } from './listen.ts';
import { createHttpServer } from './server.ts';

test('connections that nothing was asked on do not keep the server from closing', async () => {
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
