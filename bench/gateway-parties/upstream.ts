/** The MCP server behind all gateways in bench/gateway.ts: official SDK, modern protocol, one tool. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function makeServer(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  const inputSchema = z.object({ message: z.string() });
  server.registerTool('echo', { description: 'Answers what it is told', inputSchema }, ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }));
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(makeServer);
else {
  const handle = toNodeHandler(createMcpHandler(makeServer));
  const answer = async (request: IncomingMessage, response: ServerResponse) =>
    handle(request as Parameters<typeof handle>[0], response, await json(request));
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })),
  );
  process.stdin.resume().on('end', () => process.exit(0));
}
