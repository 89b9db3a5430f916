/**
 * The least that a second hop costs: forwards each POST to the upstream over kept-alive connections and looks at nothing.
 * `node bench/gateway-parties/bare-proxy.ts <url of the upstream>`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';
import { exchange } from '#base/net/exchange.ts';

const { origin, pathname: path } = new URL(process.argv[2] ?? '');
const agent = new Agent({ connections: 1024, keepAliveTimeout: 10_000 });
const limitBytes = 1024 * 1024;
const passed = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

async function forward({ headers }: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
  const own = Object.fromEntries(passed.map((name) => [name, String(headers[name])]));
  const options = { origin, path, method: 'POST' as const, headers: own, body };
  const answer = await exchange(agent, options, { limitBytes, signal: undefined });
  const content = 'text' in answer ? answer.text : await text(answer.body);
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
  });
  response.end(content);
}

const server = createServer((request, response) => {
  text(request)
    .then((body) => forward(request, body, response))
    .catch((error: unknown) => response.writeHead(502).end(String(error)));
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })),
);
process.stdin.resume().on('end', () => process.exit(0));
