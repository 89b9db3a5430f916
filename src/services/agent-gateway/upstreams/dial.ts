import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { connect, type Connection } from '#mcp/connection.ts';
import { HttpTransport } from '#mcp/http-transport.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { PeerHandlers } from '#mcp/peer.ts';
import type { Era } from '#mcp/protocol.ts';
import { SseTransport } from '#mcp/sse-transport.ts';
import { StdioTransport } from '#mcp/stdio-transport.ts';
import type { Transport } from '#mcp/transport.ts';
import type { CredentialsFor } from '../on-behalf/credentials.ts';
import type { Who } from '../on-behalf/who.ts';
import type { McpServer } from '../registry/servers/server.ts';

export interface DialSettings {
  readonly outbound: Outbound;
  /** Of this product, as servers see it. */
  readonly version: string;
  readonly connectTimeoutMs: number;
  readonly messageBytes: number;
  readonly credentialsFor: CredentialsFor;
  /** Where commands are looked for that come without a `PATH` of their own. */
  readonly searchPath: string;
}

export interface DialOptions {
  /** What the client can be asked back; legacy servers are told once, at the beginning. */
  readonly capabilities: Fields;
  readonly era?: Era | undefined;
  readonly handlers: PeerHandlers;
  /** For whom, where the server is told. */
  readonly who?: Who | undefined;
  /** A line that a stdio server wrote beside its messages. */
  readonly onNoise?: (line: string) => void;
}

/** Connects to servers. Throws AppError 502 or 504 where one cannot be reached, 422 where it must not be. */
export type Dial = (server: McpServer, options: DialOptions) => Promise<Connection>;

/** As far as the time for connecting goes, a server that does not answer a modern greeting is asked in the old way. */
const greetings = 2;

export function createDial(settings: DialSettings): Dial {
  const { outbound, messageBytes: limitBytes } = settings;

  const transportTo = (server: McpServer, { who, onNoise }: DialOptions): Transport => {
    const credentials = settings.credentialsFor(server, who);
    const http = { url: server.connectionUrl ?? '', outbound, credentials, limitBytes };
    switch (server.transport) {
      case 'http':
        return new HttpTransport(http);
      case 'sse':
        return new SseTransport(http);
      case 'stdio':
        return new StdioTransport({
          command: server.command ?? '',
          args: server.args,
          env: server.env,
          searchPath: server.env['PATH'] ?? settings.searchPath,
          limitBytes,
          ...(onNoise && { onNoise }),
        });
    }
  };

  return (server, dialOptions) => {
    const { capabilities, era, handlers } = dialOptions;
    const [lost] = server.lostSecrets;
    if (lost !== undefined)
      return Promise.reject(
        new AppError(
          502,
          'secret_lost',
          `'${lost}' of the server ${server.name} can no longer be opened: the key that sealed it is gone. Send it anew.`,
        ),
      );
    return connect({
      transport: transportTo(server, dialOptions),
      client: {
        info: { name: 'bulwark', title: 'Bulwark agent gateway', version: settings.version },
        capabilities,
      },
      // The event-stream transport is older than the modern era.
      era: server.transport === 'sse' ? 'legacy' : era,
      timeoutMs: settings.connectTimeoutMs / greetings,
      handlers,
    });
  };
}
