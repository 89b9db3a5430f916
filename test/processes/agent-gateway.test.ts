/**
 * Two `bulwark serve agent-gateway` on one PostgreSQL: tokens of MCP servers, shared or per user, are refreshed once.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { confirm, followConsent } from '#services/agent-gateway/fixtures/consent.ts';
import { startHttp } from '../fixtures/mcp-servers/start.ts';
import { startTogether, whyNot, type Together } from './together.ts';
import { modernRequest } from '../fixtures/modern-request.ts';

const skip = await whyNot();
let together: Together;

before(async () => {
  if (skip !== false) return;
  together = await startTogether('agent-gateway', 2, { BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32' });
});

after(async () => {
  if (skip === false) await together[Symbol.asyncDispose]();
});

const call: Together['call'] = (...args) => together.call(...args);

interface Answer {
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

/** Calls `whoami` at one of the two processes. */
async function whoami(at: number, gatewayId: string): Promise<Answer> {
  const url = `${together.urls[at]}/api/gateways/${gatewayId}/mcp`;
  const credential = { authorization: `Bearer ${together.token}` };
  const response = await modernRequest(url, credential, 'tools/call', { name: 'whoami' });
  return (await response.json()) as Answer;
}

const isGood = ({ result }: Answer): boolean => result?.content[0]?.text.includes('account') === true;

for (const [whose, identity_scheme] of [
  ['of the server', 'none'],
  ['of a user', 'user_oauth'],
] as const)
  test(
    `an expired token ${whose} is refreshed by one process, and no refresh token is used twice`,
    { skip },
    async (t) => {
      // Tokens of 31 seconds, which are refreshed 30 seconds before they expire: each is used for one second.
      const upstream = await startHttp('./protected.ts', 'brief');
      t.after(() => upstream[Symbol.dispose]());
      const { origin } = new URL(upstream.url);
      const seen = async () => (await fetch(`${origin}/seen`)).json() as Promise<Record<string, number>>;
      const server = await call(0, 'POST', '/api/mcp-servers', {
        name: `Brief ${identity_scheme}`,
        transport: 'http',
        connection_url: upstream.url,
        auth_type: 'oauth',
        identity_scheme,
      });
      const { authorization_url: url } = await call(0, 'GET', `/api/mcp-servers/${server.id}`);
      const { url: back } = await followConsent(url);
      // The user's callback may reach the other process.
      const elsewhere = back.replace(
        new URL(together.urls[0] ?? '').host,
        new URL(together.urls[1] ?? '').host,
      );
      const page = await confirm(elsewhere);
      assert.match(page.text, /is connected/);
      await call(0, 'POST', `/api/mcp-servers/${server.id}/discover/tools`);
      const { id } = await call(0, 'POST', '/api/gateways', { name: 'Both' });
      await call(0, 'POST', `/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
      await call(0, 'POST', `/api/gateways/${id}/start`);
      for (const at of [0, 1]) assert.ok(isGood(await whoami(at, id)));

      for (let round = 0; round < 6; round += 1) {
        if (round % 2 === 0)
          // The token has expired.
          await sleep(1100);
        // The token was revoked: each process finds out when it is refused.
        else await fetch(`${origin}/expire`, { method: 'POST' });
        const before = await seen();
        const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => whoami(i % 2, id)));
        assert.ok(answers.every(isGood), JSON.stringify(answers.filter((each) => !isGood(each)).slice(0, 2)));
        const after = await seen();
        assert.equal(after['reuses'], 0);
        // On a slow machine the new token may have expired by now as well.
        assert.ok((after['refreshes'] ?? 0) > (before['refreshes'] ?? 0));
      }
      const detail = await call(1, 'GET', `/api/mcp-servers/${server.id}`);
      assert.equal(detail.authorization.status, 'authorized');

      if (identity_scheme === 'user_oauth') {
        await call(1, 'DELETE', `/api/mcp-servers/${server.id}/authorization`);
        for (
          const until = Date.now() + 20_000;
          (await whoami(0, id)).result?.isError !== true;
          await sleep(20)
        )
          assert.ok(Date.now() < until, 'access ended through one process ends in the other');
      }
    },
  );
