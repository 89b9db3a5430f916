/** Graceful shutdown of a server's connections: every received request gets its response. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Closes each connection after its next response (`Connection: close`); still accepts new ones. */
  endWithAnswers(): void;
  /** The same, and closes idle connections. */
  endAll(): void;
  /** How many requests have come, but for those of {@link isProbe}. */
  readonly asked: number;
  /** Whether a client has connected, but not sent a request yet. */
  readonly isAwaited: boolean;
}

export interface ConnectionsSettings {
  /** Largest body of all routes. */
  readonly largestBodyBytes: number;
}

/** Interval of closing idle connections at shutdown. */
const sweepMs = 50;
/** Probes arrive until the end, however long that takes; metrics are read meanwhile as well. */
const isProbe = (url = ''): boolean => /^\/(?:livez|readyz|healthz?|metrics)(?:$|\?)/.test(url);
/** Time a new connection has to send its first request. */
const unusedMs = 1000;

export function createConnections(server: Server, { largestBodyBytes }: ConnectionsSettings): Connections {
  /** Open times of connections without a request: Node counts them as busy, so closing would wait for them. */
  const unused = new Map<Socket, number>();
  const underWay = new Set<ServerResponse>();
  let isEnding = false;
  let asked = 0;

  const endWith = (response: ServerResponse) => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };

  server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now());
    socket.once('close', () => unused.delete(socket));
  });
  // Before the server responds.
  server.prependListener('request', ({ socket, url }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    if (!isProbe(url)) asked += 1;
    if (isEnding) {
      endWith(response);
      return;
    }
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  // Refuse a body that is too large before it is sent, if the client uses `Expect: 100-continue`.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length']) > largestBodyBytes) response.shouldKeepAlive = false;
    else response.writeContinue();
    server.emit('request', request, response);
  });

  const unusedBefore = (moment: number) => [...unused].filter(([, openedAt]) => openedAt < moment);
  const endWithAnswers = () => {
    isEnding = true;
    for (const response of underWay) endWith(response);
    underWay.clear();
  };
  return {
    get asked() {
      return asked;
    },
    get isAwaited() {
      return unused.size > unusedBefore(performance.now() - unusedMs).length;
    },
    endWithAnswers,
    endAll() {
      endWithAnswers();
      // Connections that become idle from now on would otherwise keep the server open.
      const close = () => {
        server.closeIdleConnections();
        for (const [socket] of unusedBefore(performance.now() - unusedMs)) socket.destroy();
      };
      // After what has arrived was read: a connection that only seemed idle to a busy process has a request waiting.
      const sweep = setInterval(() => setImmediate(close), sweepMs).unref();
      server.once('close', () => clearInterval(sweep));
    },
  };
}
