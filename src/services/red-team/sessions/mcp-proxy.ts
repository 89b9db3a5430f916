import {
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Logger } from '#base/log/log.ts';
import {
  type AgentTools,
  NoSessionError,
  type ProxyCaller,
  type RunningSessions,
} from './running-sessions.ts';

/** Invalid request: the call cannot be told to a task. */
const invalidRequest = -32600;

/** Passed to the handler with each request. */
const callerField = 'redTeamCaller';

/**
 * The MCP endpoint that agents under test connect to, in both protocol eras. It keeps nothing between requests: each is
 * told to its task anew.
 */
export class McpProxy {
  readonly #handler: McpHttpHandler;
  readonly #sessions: RunningSessions;

  constructor(sessions: RunningSessions, log: Logger, version: string) {
    this.#sessions = sessions;
    this.#handler = createMcpHandler(
      ({ authInfo }) => this.#server(authInfo?.extra?.[callerField] as ProxyCaller, version),
      { onerror: (error) => log.debug({ err: error }, 'A request to the MCP proxy failed.') },
    );
  }

  /** Answers one HTTP request whose body is parsed already. */
  fetch(request: Request, body: unknown, caller: ProxyCaller): Promise<Response> {
    return this.#handler.fetch(request, {
      parsedBody: body,
      authInfo: {
        token: '',
        clientId: caller.apiKeyId ?? caller.userId,
        scopes: [],
        extra: { [callerField]: caller },
      },
    });
  }

  close(): Promise<void> {
    return this.#handler.close();
  }

  #server(caller: ProxyCaller, version: string): Server {
    const server = new Server(
      { name: 'bulwark-sandbox', title: 'Bulwark sandbox', version },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler('tools/list', async () => ({
      // Each input schema is made by zod from an object.
      tools: (await this.#within(caller, (sandbox) => sandbox.tools())) as Tool[],
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const { text, isError } = await this.#within(caller, (sandbox) =>
        sandbox.call(params.name, params.arguments ?? {}),
      );
      return { content: [{ type: 'text', text }], isError };
    });
    return server;
  }

  /** Works with the tools of the caller's task; a refusal is told to the agent in words. */
  async #within<T>(caller: ProxyCaller, work: (sandbox: AgentTools) => Promise<T>): Promise<T> {
    try {
      return await work(this.#sessions.find(caller).sandbox);
    } catch (error) {
      if (error instanceof NoSessionError) throw new ProtocolError(invalidRequest, error.message);
      throw error;
    }
  }
}
