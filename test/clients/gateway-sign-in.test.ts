/** Both official SDKs connect to a gateway by discovery, registration, consent and calls. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Person } from '#services/agent-gateway/fixtures/person.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { startClientDocuments } from '../fixtures/client-documents.ts';
import { stdioServer } from '../fixtures/mcp-servers/start.ts';

const redirectUrl = 'http://127.0.0.1:33418/callback';
const site = await startClientDocuments(redirectUrl);
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const server = { server: stdioServer('./complete.ts'), prefix: '' };
const { mcpUrl } = await service.gateway([server]);

/** The storage that an application of the SDK provides; the simulated user visits the addresses that the SDK opens. */
function keeper(person: Person, scopes: readonly string[] | undefined, metadataUrl: string | undefined) {
  let client: unknown;
  let tokens: { access_token: string; refresh_token?: string; scope?: string } | undefined;
  let verifier = '';
  let back: URL | undefined;
  let asked = 0;
  const provider = {
    redirectUrl,
    ...(metadataUrl !== undefined && { clientMetadataUrl: metadataUrl }),
    clientMetadata: {
      client_name: 'An SDK client',
      redirect_uris: [redirectUrl],
      // The older SDK refreshes its token instead of asking for more scopes, so it gets no refresh token here.
      grant_types: ['authorization_code', ...(scopes === undefined ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    state: () => 'a state',
    clientInformation: () => client,
    saveClientInformation: (given: unknown) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given: typeof tokens) => void (tokens = given),
    async redirectToAuthorization(url: URL) {
      asked += 1;
      back = await person.allow(url.href, service.url, asked === 1 ? scopes : undefined);
    },
    saveCodeVerifier: (given: string) => void (verifier = given),
    codeVerifier: () => verifier,
  };
  return {
    provider,
    clientId: () => (client as { client_id: string }).client_id,
    tokens: () => tokens,
    askedTimes: () => asked,
    back: () => {
      if (back === undefined) throw new Error('The person was not asked.');
      return back;
    },
    lose: () => {
      if (tokens !== undefined) tokens = { ...tokens, access_token: 'lost' };
    },
  };
}

type Keeper = ReturnType<typeof keeper>;

/** Both SDKs have the same methods, but their types are not compatible. */
const sdks = [
  {
    name: 'SDK v2',
    open: (kept: Keeper) => {
      const client = new ModernClient({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const transport = new ModernTransport(new URL(mcpUrl), { authProvider: kept.provider as never });
      return {
        client,
        transport,
        finish: () => transport.finishAuth(kept.back().searchParams),
      };
    },
  },
  {
    name: 'SDK v1',
    open: (kept: Keeper) => {
      const client = new OldClient({ name: 'v1', version: '1' });
      const transport = new OldTransport(new URL(mcpUrl), { authProvider: kept.provider as never });
      return {
        client,
        transport,
        finish: () => transport.finishAuth(kept.back().searchParams.get('code') ?? ''),
      };
    },
  },
] as const;

async function connect(open: (typeof sdks)[number]['open'], kept: Keeper) {
  const first = open(kept);
  await assert.rejects(first.client.connect(first.transport as never), /Unauthorized/);
  await first.finish();
  await first.client.close();
  const second = open(kept);
  await second.client.connect(second.transport as never);
  return second;
}

for (const { name, open } of sdks)
  for (const way of ['registers itself', 'has a document'])
    test(`${name} ${way}, and calls a tool; a lost access token is refreshed without the user`, async () => {
      const metadataUrl = way === 'has a document' ? `${site.url}/client.json` : undefined;
      const kept = keeper(new Person(), undefined, metadataUrl);
      const { client } = await connect(open, kept);
      if (metadataUrl !== undefined) assert.equal(kept.clientId(), metadataUrl);
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'test_simple_text'));
      const result = await client.callTool({ name: 'test_simple_text', arguments: {} });
      assert.match(JSON.stringify(result.content), /simple text/);
      const before = kept.tokens()?.refresh_token;
      kept.lose();
      await client.callTool({ name: 'test_simple_text', arguments: {} });
      assert.notEqual(kept.tokens()?.refresh_token, before);
      assert.equal(kept.askedTimes(), 1);
      await client.close();
    });

for (const { name, open } of sdks)
  test(`${name} with too few scopes asks for more when a call needs them`, async () => {
    const kept = keeper(new Person(), ['mcp:prompts'], undefined);
    const { client, finish } = await connect(open, kept);
    assert.equal(kept.tokens()?.scope, 'mcp:prompts');
    assert.ok((await client.listPrompts()).prompts.length > 0);
    await assert.rejects(client.listTools());
    assert.equal(kept.askedTimes(), 2, 'the SDK opened the sign-in page once more');
    await finish();
    assert.match(kept.tokens()?.scope ?? '', /mcp:tools/);
    assert.ok((await client.listTools()).tools.length > 0);
    await client.close();
  });
