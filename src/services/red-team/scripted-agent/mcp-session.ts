import { openOutbound, type Outbound } from '#base/net/outbound.ts';
import { connect, type Connection } from '#mcp/connection.ts';
import { HttpTransport } from '#mcp/http-transport.ts';
import { fieldsOf, RpcError } from '#mcp/json-rpc.ts';
import { SseTransport } from '#mcp/sse-transport.ts';
import type { Call } from './personas.ts';

/** Where the tools of a task are. */
export interface McpAddress {
  readonly url: string;
  readonly apiKey: string;
}

export interface McpOptions {
  readonly transport: 'http' | 'sse';
  readonly era: 'auto' | 'legacy';
}

const timeoutMs = 60_000;
const limitBytes = 8 * 1024 * 1024;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Agents run beside the platform: every address may be connected to. */
export const openAgentOutbound = (): Outbound =>
  openOutbound({ environment: 'development', allowPrivateNetwork: ['true'] });

/** A connection of the scripted agent to the MCP server of its task. */
export class McpSession implements AsyncDisposable {
  readonly #connection: Connection;

  static async open(
    outbound: Outbound,
    { url, apiKey }: McpAddress,
    options: McpOptions,
  ): Promise<McpSession> {
    const credentials = {
      headers: async () => ({ 'x-api-key': apiKey }),
      refused: async () => false,
    };
    const settings = { url, outbound, credentials, limitBytes };
    const connection = await connect({
      transport: options.transport === 'sse' ? new SseTransport(settings) : new HttpTransport(settings),
      client: { info: { name: 'bulwark-scripted-agent', version: '1' }, capabilities: {} },
      ...((options.era === 'legacy' || options.transport === 'sse') && { era: 'legacy' as const }),
      timeoutMs,
      handlers: { onNotification: () => undefined, onClosed: () => undefined },
    });
    return new McpSession(connection);
  }

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The descriptions of all tools. */
  async descriptions(): Promise<string[]> {
    const { tools } = await this.#connection.request({ method: 'tools/list', params: {}, timeoutMs });
    return (Array.isArray(tools) ? tools : []).map((tool) => textOf(fieldsOf(tool)['description']));
  }

  async call({ name, args }: Call): Promise<string> {
    const params = { name, arguments: args };
    const { content } = await this.#connection.request({ method: 'tools/call', params, timeoutMs });
    return (Array.isArray(content) ? content : []).map((part) => textOf(fieldsOf(part)['text'])).join('\n');
  }

  /** Whether the server refuses to list tools. */
  async isRefused(): Promise<boolean> {
    try {
      await this.descriptions();
      return false;
    } catch (error) {
      return error instanceof RpcError;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}
