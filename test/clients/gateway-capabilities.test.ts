/** What the protocol's everything-server shows to capable clients alone: listed, and usable, through a gateway. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { referenceOverStdio } from '../fixtures/mcp-servers/reference.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());

const server = referenceOverStdio('everything');

async function open(mcpUrl: string, capabilities: object): Promise<Client> {
  const client = new Client({ name: 'capable', version: '1' }, { capabilities });
  if ('sampling' in capabilities)
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'none',
      role: 'assistant',
      content: { type: 'text', text: 'A sampled answer' },
    }));
  if ('roots' in capabilities)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: [{ uri: 'file:///projects', name: 'work' }],
    }));
  const requestInit = { headers: { 'x-api-key': service.key } };
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const shownToCapable = ['get-roots-list', 'trigger-elicitation-request', 'trigger-sampling-request'];

test('tools for capable clients are listed to them alone, and can be called', async () => {
  const { mcpUrl } = await service.gateway([{ server, prefix: '' }]);
  const plain = await open(mcpUrl, {});
  const capable = await open(mcpUrl, { sampling: {}, elicitation: {}, roots: { listChanged: true } });
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(
    (await namesOf(plain)).filter((name) => shownToCapable.includes(name)),
    [],
  );
  const names = await namesOf(capable);
  assert.deepEqual(names.filter((name) => shownToCapable.includes(name)).toSorted(), shownToCapable);
  const sampled = await capable.callTool({
    name: 'trigger-sampling-request',
    arguments: { prompt: 'Say it' },
  });
  assert.match(JSON.stringify(sampled.content), /A sampled answer/);
  const roots = await capable.callTool({ name: 'get-roots-list', arguments: {} });
  assert.match(JSON.stringify(roots.content), /file:\/\/\/projects/);
  await capable.close();
  await plain.close();
});
