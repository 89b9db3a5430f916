/** Every combination of client and server protocol version. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openLegacyClient, openModernClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { key } = service;

const clients = { 'SDK v1': openLegacyClient, 'SDK v2': openModernClient };
const fill = (message: string) => ({ response: `answer to ${message}` });

for (const era of ['legacy', 'modern']) {
  const upstream = await startHttp('./complete.ts', `--${era}`);
  after(() => upstream[Symbol.dispose]());
  const server = { transport: 'http', connection_url: upstream.url };
  const { mcpUrl, gatewayId } = await service.gateway([{ server, prefix: '' }]);

  test(`the gateway speaks the protocol version of the ${era} server`, async () => {
    const { body } = await service.call('GET', `/api/gateways/${gatewayId}/status`, { key });
    assert.equal(body.servers[0].protocol_version, era === 'modern' ? '2026-07-28' : '2025-11-25');
  });

  for (const [name, open] of Object.entries(clients)) {
    const cell = (what: string) => `${name}, ${era} server: ${what}`;

    test(cell('a tool is listed and called'), async () => {
      await using client = await open({ mcpUrl, key });
      assert.ok((await client.tools()).includes('echo'));
      assert.equal(await client.call('echo', { message: 'hello' }), 'hello');
    });

    test(cell('progress notifications arrive in order, before the result'), async () => {
      await using client = await open({ mcpUrl, key });
      const seen: number[] = [];
      await client.call(
        'test_tool_with_progress',
        {},
        { onProgress: (progress) => void seen.push(progress) },
      );
      assert.deepEqual(seen, [0, 50, 100]);
    });

    test(
      cell('a request of the server reaches the client, and the response reaches the server'),
      async () => {
        await using client = await open({ mcpUrl, key, fill });
        const answer = await client.call('test_elicitation', { message: 'What is it?' });
        assert.match(answer, /answer to What is it\?/);
      },
    );

    test(cell('a change of the tool list is notified'), async () => {
      await using client = await open({ mcpUrl, key });
      const heard = Promise.withResolvers<void>();
      await client.onToolsChanged(heard.resolve);
      let isOver = false;
      void heard.promise.then(() => (isOver = true));
      // The stream that delivers the notification may open slightly after the client has requested it.
      for (const until = Date.now() + 20_000; !isOver && Date.now() < until; await sleep(50))
        await client.call('test_trigger_tool_change');
      assert.ok(isOver, 'no notification arrived');
    });

    test(cell('a cancelled call ends at the client and at the server'), async () => {
      await using client = await open({ mcpUrl, key });
      const begun = Number(await client.call('begun'));
      const before = Number(await client.call('abandoned'));
      const stop = new AbortController();
      const call = client.call('slow', { ms: 60_000 }, { signal: stop.signal });
      while (Number(await client.call('begun')) === begun) await sleep(20);
      stop.abort(new Error('given up'));
      await assert.rejects(call);
      for (const until = Date.now() + 20_000; Date.now() < until; await sleep(20))
        if (Number(await client.call('abandoned')) > before) return;
      assert.fail('the server was never told');
    });
  }
}
