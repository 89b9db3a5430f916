/** Frames that are pushed over gRPC, with the events in the same call. */
import { join } from 'node:path';
import { z } from 'zod';
import { checkInput } from '#base/contract/check.ts';
import { badRequest, forbidden } from '#base/errors.ts';
import type { GrpcStreamCall, GrpcStreamMethod } from '#base/grpc/stream-method.ts';
import type { MountOptions } from '#base/http/mount.ts';
import { bearerOf } from '#identity/authenticate.ts';
import type { Caller } from '#identity/caller.ts';
import { Sampling } from '../../../contract/fields.ts';
import { PushStart, streamOperations } from '../../../contract/streams.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { LiveStreams } from '../../sessions/live-streams.ts';
import { loggedToWire } from '../../sessions/view.ts';
import { PushedFrames } from '../../sources/push-frames.ts';

export const videoModerationProto = join(import.meta.dirname, 'video-moderation.proto');
export const videoModerationService = 'bulwark.videomoderation.v1.VideoModerationService';

const Start = PushStart.omit({ type: true }).extend({
  stream_id: z.string().max(100),
  fps: Sampling.shape.fps,
  clip_seconds: Sampling.shape.clip_seconds,
  deployment_id: z.string().max(100),
  after: z.int().min(0),
});

const Frame = z.object({
  data: z.instanceof(Buffer),
  timestamp_us: z.number().min(0),
  key: z.boolean(),
  seq: z.int().min(0),
});

const Push = z.discriminatedUnion('message', [
  z.object({ message: z.literal('start'), start: Start }),
  z.object({ message: z.literal('frame'), frame: Frame }),
  z.object({ message: z.literal('end') }),
]);

export interface GrpcPushDeps {
  readonly streams: LiveStreams;
  readonly mostPixels: number;
}

/** Who pushes: by a credential of their own, or by the ingest token of one session. */
export interface GrpcSender {
  readonly caller: Caller;
  /** The session of the token, which is good for no other one. */
  readonly streamId?: string;
}

/** Takes ingest tokens beside what the service takes. */
export const grpcSender =
  (
    streams: LiveStreams,
    authenticate: MountOptions<Caller>['authenticate'],
  ): MountOptions<GrpcSender>['authenticate'] =>
  async (operation, headers) => {
    const token = bearerOf(headers.authorization);
    const byToken = token === undefined ? undefined : await streams.sessionByToken(token);
    if (byToken !== undefined) return byToken;
    const caller = await authenticate(operation, headers);
    return caller && { caller };
  };

/** The methods of the service, by their names in the proto file. */
export const videoModerationMethods = (deps: GrpcPushDeps): { Moderate: GrpcStreamMethod<GrpcSender> } => ({
  Moderate: { operation: streamOperations.createStream, serve: (call) => moderate(deps, call) },
});

async function moderate(
  { streams, mostPixels }: GrpcPushDeps,
  call: GrpcStreamCall<GrpcSender>,
): Promise<void> {
  const { caller: sender, signal } = call;
  const requests = call.requests[Symbol.asyncIterator]();
  const first = await requests.next();
  const begin = first.done === true ? undefined : checkInput(Push, first.value, 'request');
  if (begin?.message !== 'start') throw badRequest('The first message must be start.');
  const session = await sessionFor(streams, sender, begin.start);
  const receive = async () => {
    using _sender = session.attend();
    const frames = new PushedFrames(session, begin.start, mostPixels);
    for (let next = await requests.next(); next.done !== true; next = await requests.next()) {
      const said = checkInput(Push, next.value, 'request');
      if (said.message === 'end') break;
      if (said.message === 'start') throw badRequest('start is the first message, once.');
      const { seq: sequence, key: isKey, timestamp_us: timestampUs, data } = said.frame;
      frames.push({ sequence, isKey, data, timestampMs: timestampUs / 1000 });
    }
    // Whoever has gone may come back; whoever has no more frames has ended.
    if (!signal.aborted) await session.finish({ status: 'ended', reason: 'source_ended' });
  };
  const send = async () => {
    const { streamId } = session.stream;
    for await (const logged of streams.follow(sender.caller, streamId, begin.start.after, signal))
      await call.send(loggedToWire(logged));
  };
  const receiving = receive();
  // A wrong message ends the call; the end of the session ends it through its summary.
  await Promise.race([send(), receiving.then(() => new Promise<never>(() => undefined))]);
}

async function sessionFor(
  streams: LiveStreams,
  { caller, streamId: ofToken }: GrpcSender,
  start: z.output<typeof Start>,
): Promise<LiveSession> {
  const streamId = start.stream_id || ofToken;
  if (ofToken !== undefined && streamId !== ofToken) throw forbidden('The token is that of another session.');
  if (streamId !== undefined) return streams.attend(caller, streamId, 'grpc');
  const { stream } = await streams.create(caller, {
    transport: 'grpc',
    sourceUrl: undefined,
    fps: start.fps,
    clipSeconds: start.clip_seconds,
    callbackUrl: undefined,
    callbackEvents: 'all',
    deploymentId: start.deployment_id === '' ? undefined : start.deployment_id,
  });
  return streams.attend(caller, stream.streamId, 'grpc');
}
