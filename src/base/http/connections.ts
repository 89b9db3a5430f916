/** Graceful shutdown of a server's connections: every received request gets its response. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Closes each connection after its next response (`Connection: close`); still accepts new ones. */
  endWithAnswers(): void;
  /** The same, and closes idle connections. */
  endAll(): void;
}

export interface ConnectionsSettings {
  /** Largest body of all routes. */
  readonly largestBodyBytes: number;
}

/** Interval of closing idle connections at shutdown. */
const sweepMs = 50;
/** Time a new connection has to send its first request. */
const unusedMs = 1000;

export function createConnections(server: Server, { largestBodyBytes }: ConnectionsSettings): Connections {
  /** Open times of connections without a request: Node counts them as busy, so closing would wait for them. */
  const unused = new Map<Socket, number>();
  const underWay = new Set<ServerResponse>();
  let isEnding = false;

  const endWith = (response: ServerResponse) => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };

  server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now());
    socket.once('close', () => unused.delete(socket));
  });
  // Before the server answers.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    if (isEnding) {
      endWith(response);
      return;
    }
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  // Refuse a too large body before it is sent, if the client asks (`Expect: 100-continue`).
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length']) > largestBodyBytes) response.shouldKeepAlive = false;
    else response.writeContinue();
    server.emit('request', request, response);
  });

  const endWithAnswers = () => {
    isEnding = true;
    for (const response of underWay) endWith(response);
    underWay.clear();
  };
  return {
    endWithAnswers,
    endAll() {
      endWithAnswers();
      // Connections that become idle from now on would otherwise keep the server open.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        const before = performance.now() - unusedMs;
        for (const [socket, openedAt] of unused) if (openedAt < before) socket.destroy();
      }, sweepMs).unref();
      server.once('close', () => clearInterval(sweep));
    },
  };
}
