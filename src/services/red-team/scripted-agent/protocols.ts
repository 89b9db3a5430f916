/** How the scripted agent reads requests and writes replies in each protocol. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { McpAddress } from './mcp-session.ts';

const message = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(z.unknown()).optional(),
});

const chat = z.object({
  messages: z.array(message).min(1),
  tools: z.array(z.object({ function: z.object({ description: z.string().optional() }) })).optional(),
});
const responses = z.object({
  input: z.string(),
  tools: z
    .array(z.object({ server_url: z.string(), headers: z.record(z.string(), z.string()).default({}) }))
    .default([]),
});
const a2a = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal('message/send'),
  params: z.object({ message: z.object({ parts: z.array(z.object({ text: z.string() })).min(1) }) }),
});
const agUi = z.object({
  threadId: z.string(),
  runId: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
});
const plain = z.object({
  prompt: z.string(),
  mcp_url: z.string().optional(),
  session_key: z.string().optional(),
});

/** A request as the agent understands it. */
export interface Asked {
  readonly prompt: string;
  /** Of the request's own body, where its protocol has a place for it. */
  readonly address?: McpAddress;
  /** With chat completions that pass tools: the conversation so far. The platform makes the calls. */
  readonly loop?: { readonly descriptions: string[]; readonly outputs: string[] };
  readonly send: (response: ServerResponse, reply: string) => void;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const withJson =
  (bodyOf: (reply: string) => unknown) =>
  (response: ServerResponse, reply: string): void =>
    sendJson(response, 200, bodyOf(reply));

/** The request of a path and body; undefined if it is none that the agent understands. */
export function readRequest(path: string, body: unknown): Asked | undefined {
  if (path.endsWith('/chat/completions')) return readChat(body);
  if (path.endsWith('/responses')) return readResponses(body);
  if (path.endsWith('/a2a')) return readA2a(body);
  if (path.endsWith('/ag-ui')) return readAgUi(body);
  return path.endsWith('/json') ? readPlain(body) : undefined;
}

function readChat(body: unknown): Asked | undefined {
  const { data } = chat.safeParse(body);
  if (data === undefined) return undefined;
  const outputs = data.messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
  const descriptions = (data.tools ?? []).map((tool) => tool.function.description ?? '');
  return {
    prompt: data.messages.find(({ role }) => role === 'user')?.content ?? '',
    ...(data.tools && { loop: { descriptions, outputs } }),
    send: withJson((content) => ({
      id: randomUUID(),
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    })),
  };
}

function readResponses(body: unknown): Asked | undefined {
  const { data } = responses.safeParse(body);
  if (data === undefined) return undefined;
  const [tool] = data.tools;
  return {
    prompt: data.input,
    ...(tool && { address: { url: tool.server_url, apiKey: tool.headers['X-API-Key'] ?? '' } }),
    send: withJson((text) => ({
      id: randomUUID(),
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    })),
  };
}

function readA2a(body: unknown): Asked | undefined {
  const { data } = a2a.safeParse(body);
  if (data === undefined) return undefined;
  return {
    prompt: data.params.message.parts.map(({ text }) => text).join('\n'),
    send: withJson((text) => ({
      jsonrpc: '2.0',
      id: data.id,
      result: { kind: 'message', role: 'agent', messageId: randomUUID(), parts: [{ kind: 'text', text }] },
    })),
  };
}

function readAgUi(body: unknown): Asked | undefined {
  const { data } = agUi.safeParse(body);
  if (data === undefined) return undefined;
  const { threadId, runId, messages } = data;
  return {
    prompt: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    send: (response, delta) => {
      const messageId = randomUUID();
      const events = [
        { type: 'RUN_STARTED', threadId, runId },
        { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
        { type: 'TEXT_MESSAGE_END', messageId },
        { type: 'RUN_FINISHED', threadId, runId },
      ];
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    },
  };
}

function readPlain(body: unknown): Asked | undefined {
  const { data } = plain.safeParse(body);
  if (data === undefined) return undefined;
  const { prompt, mcp_url: url, session_key: apiKey = '' } = data;
  return { prompt, ...(url && { address: { url, apiKey } }), send: withJson((reply) => ({ reply })) };
}

/** Tool calls of an assistant's message, as chat completions have them. */
export function sendToolCalls(
  response: ServerResponse,
  calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[],
): void {
  const toolCalls = calls.map(({ name, args }) => ({
    id: randomUUID(),
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const assistant = { role: 'assistant', content: null, tool_calls: toolCalls };
  sendJson(response, 200, {
    id: randomUUID(),
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'tool_calls', message: assistant }],
  });
}
