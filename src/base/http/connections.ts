/** The connections of a server towards its end: no request that has come is left without an answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Each connection is closed after its next answer, which says so (`Connection: close`); new ones are still taken. */
  endWithAnswers(): void;
  /** The same, and connections that nothing is asked on are closed. */
  endAll(): void;
}

export interface ConnectionsSettings {
  /** Of all routes of the server. */
  readonly largestBodyBytes: number;
}

/** How often idle connections are looked for once the server ends. */
const sweepMs = 50;
/** A client that has only just connected gets so long to say what it wants. */
const unusedMs = 1000;

export function createConnections(server: Server, { largestBodyBytes }: ConnectionsSettings): Connections {
  /** When they were opened; Node takes those that nothing was asked on yet for busy, and closing would wait for them. */
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
  // A body that is too large is refused before it is sent, where the client asks.
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
      // A connection whose last request is answered from now on would else be kept open, and the server with it.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        const before = performance.now() - unusedMs;
        for (const [socket, openedAt] of unused) if (openedAt < before) socket.destroy();
      }, sweepMs).unref();
      server.once('close', () => clearInterval(sweep));
    },
  };
}
