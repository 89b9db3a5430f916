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
  /** Our version, sent to servers. */
  readonly version: string;
  readonly connectTimeoutMs: number;
  readonly messageBytes: number;
  readonly credentialsFor: CredentialsFor;
  /** Default search path for commands. */
  readonly searchPath: string;
}

export interface DialOptions {
  /** The client's capabilities; legacy servers receive them once, in `initialize`. */
  readonly capabilities: Fields;
  readonly era?: Era | undefined;
  /** The era to try first at a server that may speak both. */
  readonly prefer?: Era | undefined;
  readonly handlers: PeerHandlers;
  /** The user, for servers that learn who calls. */
  readonly who?: Who | undefined;
  /** Receives lines of a stdio server that are not messages. */
  readonly onNoise?: (line: string) => void;
}

/** Connects to servers. Throws AppError 502 or 504 if a server is unreachable, 422 if the address is forbidden. */
export type Dial = (server: McpServer, options: DialOptions) => Promise<Connection>;

/** Timeout of the modern handshake, as a share of the connection timeout; afterwards the legacy handshake is tried. */
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
    const { capabilities, era, prefer, handlers } = dialOptions;
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
      prefer,
      timeoutMs: settings.connectTimeoutMs / greetings,
      handlers,
    });
  };
}
