/** The connections of a server towards its end: no request that has come is left without an answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Each connection is closed after its next answer, which says so (`Connection: close`); new ones are still taken. */
  endWithAnswers(): void;
  /** The same, and connections that nothing is asked on are closed. */
  endAll(): void;
  /** How many requests have come, but for those of {@link isProbe}. */
  readonly asked: number;
  /** Whether somebody has only just connected, and not asked yet. */
  readonly isAwaited: boolean;
}

export interface ConnectionsSettings {
  /** Of all routes of the server. */
  readonly largestBodyBytes: number;
}

/** How often idle connections are looked for once the server ends. */
const sweepMs = 50;
/** Probes come to the end, however long that is; metrics are read as well while it lasts. */
const isProbe = (url = ''): boolean => /^\/(?:livez|readyz|healthz?|metrics)(?:$|\?)/.test(url);
/** A client that has only just connected gets so long to say what it wants. */
const unusedMs = 1000;

export function createConnections(server: Server, { largestBodyBytes }: ConnectionsSettings): Connections {
  /** When they were opened; Node takes those that nothing was asked on yet for busy, and closing would wait for them. */
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
  // Before the server answers.
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
  // A body that is too large is refused before it is sent, where the client asks.
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
      // A connection whose last request is answered from now on would else be kept open, and the server with it.
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
