import type { HttpApp } from '#base/http/server.ts';
import { EventStream } from '#base/events/event-stream.ts';
import { mountSocket, type SocketMountOptions } from '#base/events/sockets.ts';
import type { Handlers, MountOptions } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import { bearerOf } from '#identity/authenticate.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { streamSockets, type streamOperations } from '../../contract/streams.ts';
import { servePushSocket } from '../sources/push-socket.ts';
import type { LiveStreams } from '../sessions/live-streams.ts';
import type { StoredStream } from '../sessions/store.ts';
import { loggedToWire, streamToWire, type StreamAddresses } from '../sessions/view.ts';

export interface StreamRoutesDeps {
  readonly streams: LiveStreams;
  readonly addresses: (stream: StoredStream) => StreamAddresses;
}

type SessionHandlers = Omit<Handlers<typeof streamOperations, Caller>, 'publishWebRtc' | 'endWebRtc'>;

export function streamHandlers({ streams, addresses }: StreamRoutesDeps): SessionHandlers {
  const view = async (stream: StoredStream) =>
    streamToWire(stream, addresses(stream), await streams.lastEvent(stream.streamId));
  return {
    createStream: async ({ caller, body }) => {
      const { stream, ingestToken, callbackSecret } = await streams.create(caller, {
        transport: body.transport,
        sourceUrl: body.source_url,
        fps: body.sampling.fps,
        clipSeconds: body.sampling.clip_seconds,
        callbackUrl: body.callback_url,
        callbackEvents: body.callback_events,
        deploymentId: body.deployment_id,
      });
      const { websocketUrl, ingestUrl } = addresses(stream);
      return {
        stream_id: stream.streamId,
        status: stream.status,
        websocket_url: websocketUrl,
        ...(ingestUrl !== undefined && { ingest_url: ingestUrl }),
        ...(ingestToken !== undefined && { ingest_token: ingestToken }),
        ...(callbackSecret !== undefined && { callback_secret: callbackSecret }),
        expires_at: stream.expiresAt.toISOString(),
      };
    },
    listStreams: async ({ caller, query }) => {
      const { streams: found, total } = await streams.list(caller, { ...query, status: query.status });
      return { streams: await Promise.all(found.map(view)), total };
    },
    getStream: async ({ caller, params }) => view(await streams.get(caller, params.stream_id)),
    deleteStream: async ({ caller, params }) => view(await streams.stop(caller, params.stream_id)),
    followStream: async ({ caller, params, query, request }) => {
      await streams.get(caller, params.stream_id);
      const after = query.after ?? (Number(request.lastEventId ?? 0) || undefined);
      return feedOf(streams, caller, params.stream_id, after);
    },
  };
}

/** Server-sent events of a session; a slow reader is waited for, since events are read from the log. */
function feedOf(
  streams: LiveStreams,
  caller: Caller,
  streamId: string,
  after: number | undefined,
): EventStream {
  const events = new EventStream({ retryMs: 2000 });
  const gone = new AbortController();
  events.once('close', () => gone.abort());
  const work = async () => {
    for await (const logged of streams.follow(caller, streamId, after, gone.signal)) {
      const data = loggedToWire(logged);
      events.offer({ id: String(logged.seq), event: data.type, data });
      await events.room();
    }
  };
  void work()
    .catch(() => undefined)
    .finally(() => events.finish());
  return events;
}

export interface StreamSocketDeps {
  readonly streams: LiveStreams;
  readonly authenticate: MountOptions<Caller>['authenticate'];
  readonly identity: Pick<Identity, 'holds'>;
  readonly log: Logger;
  readonly frameBytes: number;
  readonly mostPixels: number;
  readonly idleMs: number;
}

/** How often it is looked whether a listener may still listen. */
const accessCheckMs = 5000;
const smallMessageBytes = 1024;
/** Frames that may wait in memory for each sender. */
const mostUnhandled = 4;

export function mountStreamSockets(app: HttpApp, deps: StreamSocketDeps): void {
  const { streams, authenticate, log } = deps;
  const onError = (err: unknown) => log.error({ err }, 'a socket of a live session has failed');
  const byToken =
    (kind: 'ingest' | 'events'): NonNullable<SocketMountOptions<Caller>['authenticateByToken']> =>
    async ({ query, params, headers }) => {
      const token = query['token'] ?? bearerOf(headers.authorization);
      const streamId = params['stream_id'];
      if (typeof token !== 'string' || typeof streamId !== 'string') return undefined;
      return streams.callerByToken(kind, streamId, token);
    };
  mountSocket<typeof streamSockets.streamEvents, Caller>(
    app,
    streamSockets.streamEvents,
    async ({ caller, params, query, socket }) => {
      const since = new Date();
      const watching = setInterval(() => {
        void deps.identity.holds(caller, since).then((isHeld) => {
          if (!isHeld) socket.close(4401, 'Your access has ended.');
        }, onError);
      }, accessCheckMs);
      try {
        for await (const logged of streams.follow(caller, params.stream_id, query.after, socket.signal))
          await socket.send(JSON.stringify(loggedToWire(logged)));
      } finally {
        clearInterval(watching);
      }
    },
    {
      authenticate,
      authenticateByToken: byToken('events'),
      limits: { maxMessageBytes: smallMessageBytes },
      onError,
    },
  );
  mountSocket<typeof streamSockets.ingestFrames, Caller>(
    app,
    streamSockets.ingestFrames,
    async ({ caller, params, socket }) => {
      const session = await streams.attend(caller, params.stream_id, 'websocket');
      await servePushSocket(socket, session, deps);
    },
    {
      authenticate,
      authenticateByToken: byToken('ingest'),
      limits: { maxMessageBytes: deps.frameBytes + 16, mostUnhandled },
      onError,
    },
  );
}
