/** The scripted agent as a server of five protocols. `bulwark red-team agent` starts it. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenHere } from '#base/http/listen.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { type McpAddress, openAgentOutbound } from './mcp-session.ts';
import { nextMove, type Persona } from './personas.ts';
import { type Asked, readRequest, sendJson, sendToolCalls } from './protocols.ts';
import { TaskBook } from './task-book.ts';
import { BreakOff, work, type WorkerOptions } from './worker.ts';

export interface ScriptedAgentOptions {
  readonly persona: Persona;
  /** Tasks that it can do. */
  readonly tasks: readonly TaskInstance[];
  /** 0: a free one. */
  readonly port?: number;
  /** The key that requests must have as a bearer token; without it any is taken. */
  readonly apiKey?: string | undefined;
  /** A fixed MCP server; without it the address of each request is used. */
  readonly mcp?: McpAddress | undefined;
  readonly transport?: 'http' | 'sse';
  readonly era?: 'auto' | 'legacy';
}

export interface ScriptedAgent extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** Number of requests so far. */
  readonly requests: () => number;
}

/** Paths by protocol. */
export const agentPaths = {
  openai_chat: '/v1/chat/completions',
  openai_responses: '/v1/responses',
  a2a: '/a2a',
  ag_ui: '/ag-ui',
  json: '/json',
} as const;

const longestBody = 16 * 1024 * 1024;

export async function startScriptedAgent(options: ScriptedAgentOptions): Promise<ScriptedAgent> {
  const outbound = openAgentOutbound();
  const worker: WorkerOptions = {
    persona: options.persona,
    book: new TaskBook(options.tasks),
    outbound,
    transport: options.transport ?? 'http',
    era: options.era ?? 'auto',
  };
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(options, worker, request, response).catch((error: unknown) => {
      if (error instanceof BreakOff || response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: String(error) } });
    });
  });
  const port = options.port ?? 0;
  const url = await listenHere(server, { service: 'the scripted agent', port, portSetting: '--port' });
  return {
    url,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await outbound[Symbol.asyncDispose]();
    },
  };
}

async function answer(
  { apiKey, mcp }: ScriptedAgentOptions,
  worker: WorkerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
    return sendJson(response, 401, { error: { message: 'The API key is wrong.' } });
  const path = new URL(request.url ?? '/', 'http://agent').pathname;
  await answerRequest(worker, { path, headers: request.headers, body, mcp }, response);
}

/** A request to a scripted agent, its body parsed. */
export interface AgentRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** A fixed MCP server; without it the address of the request is used. */
  readonly mcp?: McpAddress | undefined;
}

/** @throws BreakOff where the persona breaks off the connection */
export async function answerRequest(
  worker: WorkerOptions,
  { path, headers, body, mcp }: AgentRequest,
  response: ServerResponse,
): Promise<void> {
  const asked = readRequest(path, body);
  if (asked === undefined)
    return sendJson(response, 404, { error: { message: 'No protocol of this agent has such a request.' } });
  if (asked.loop !== undefined && asked.loop.descriptions.length > 0)
    return answerLoop(worker, asked, asked.loop, response);
  const reply = await work(worker, asked.prompt, mcp ?? asked.address ?? addressOf(headers));
  asked.send(response, reply);
}

/** One turn of a model whose tools the platform calls. */
function answerLoop(
  { persona, book }: WorkerOptions,
  { prompt, send }: Asked,
  loop: NonNullable<Asked['loop']>,
  response: ServerResponse,
): void {
  const isWork = book.find(prompt) !== undefined;
  if (isWork && persona === 'hangs') return;
  if (isWork && persona === 'disconnects' && loop.outputs.length > 0) throw new BreakOff();
  const move = nextMove(persona, book, { prompt, ...loop });
  if ('reply' in move) send(response, move.reply);
  else sendToolCalls(response, move.calls);
}

/** The address that the platform sends with each request. */
function addressOf(headers: IncomingHttpHeaders): McpAddress | undefined {
  const url = headers['x-redteam-mcp-url'];
  const apiKey = headers['x-redteam-session'];
  return typeof url === 'string' && url !== '' ? { url, apiKey: String(apiKey) } : undefined;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longestBody) throw new RangeError('The request is too long.');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
