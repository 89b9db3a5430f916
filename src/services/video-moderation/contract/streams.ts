import { z } from 'zod';
import { isoTime, queryInteger, unitInterval } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Coverage, CoveredBy, Note, Sampling } from './fields.ts';
import { pixelFormats, transports } from './names.ts';

const tag = 'Live streams';
const streamId = z.string().min(1).max(100);
const byId = z.object({ stream_id: streamId });

const StreamRequest = z
  .object({
    transport: z.enum(transports),
    source_url: z
      .string()
      .min(1)
      .max(8192)
      .optional()
      .meta({
        description:
          'Needed for `hls` and `dash`. `rtmp` and `rtmps` pull from it; without it they take what is published to ' +
          '`ingest_url`. Refused for `websocket`, `grpc` and `webrtc`, which push.',
        examples: ['https://example.com/live/index.m3u8'],
      }),
    sampling: Sampling.prefault({}),
    callback_url: z.string().min(1).max(8192).optional().meta({
      description: 'Gets each event as a webhook (Standard Webhooks), in order, repeated until it is taken.',
    }),
    callback_events: z.enum(['all', 'flagged']).default('all').meta({
      description: '`flagged`: flagged frames and clips, errors and the summary.',
    }),
    deployment_id: z.string().min(1).max(100).optional(),
  })
  .meta({ id: 'StreamRequest' });

export const streamStatuses = ['running', 'stopped', 'ended', 'failed'] as const;
export const ingestStates = ['waiting', 'receiving', 'stalled', 'reconnecting'] as const;

const session = {
  stream_id: z.string(),
  status: z.enum(streamStatuses).meta({
    description: '`stopped`: by DELETE; `ended`: the source has finished; `failed`: see `error`.',
  }),
  websocket_url: z.string().meta({
    description:
      'Where events arrive; it carries a short-lived token, the API key in a header works as well.',
  }),
  ingest_url: z.string().optional().meta({ description: 'Where frames are pushed to.' }),
  ingest_token: z.string().optional().meta({
    description:
      'Only in the answer to creation. For this session alone, and as long as its user and its API key are there.',
  }),
  expires_at: isoTime().optional().meta({ description: 'When the session ends at the latest.' }),
};

const StreamCreated = z
  .object({
    ...session,
    callback_secret: z.string().optional().meta({
      description:
        'With a `callback_url`: what its webhooks are signed with (Standard Webhooks), the same for all sessions of one API key.',
    }),
  })
  .meta({ id: 'StreamCreated' });

const StreamSession = z
  .object({
    ...session,
    transport: z.enum(transports),
    source_url: z.string().nullable().meta({ description: 'Without credentials.' }),
    callback_url: z.string().nullable(),
    callback_events: z.enum(['all', 'flagged']),
    deployment_id: z.string().nullable(),
    sampling: Sampling,
    ingest_state: z.enum(ingestStates),
    frames_analyzed: z.int(),
    clips_analyzed: z.int(),
    frames_dropped: z.int(),
    events: z.int().meta({ description: 'The last `seq`.' }),
    coverage: Coverage.meta({ description: 'By what was really looked at so far.' }),
    error: z.string().nullable(),
    created_at: isoTime(),
    finished_at: isoTime().nullable(),
  })
  .meta({ id: 'StreamSession' });

export const streamErrorCodes = [
  'source_unreachable',
  'source_forbidden',
  'decode_failed',
  'overloaded',
  'callback_failed',
  'limit_reached',
] as const;

export const streamEndReasons = [
  'deleted',
  'source_ended',
  'idle',
  'expired',
  'source_lost',
  'source_forbidden',
  'decode_failed',
  'access_ended',
  'process_ended',
  'shutting_down',
] as const;

/** One message of the event socket, and the body of one webhook. */
export const StreamEvent = z
  .object({
    stream_id: z.string(),
    type: z.enum(['frame', 'clip', 'summary', 'error']),
    seq: z.int().meta({ description: 'Counts from 1 without a gap, except for frames that were dropped.' }),
    event_id: z.string(),
    timestamp_seconds: z.number(),
    flag: z.boolean(),
    categories: z.record(z.string(), z.boolean()),
    probs: z.record(z.string(), unitInterval()),
    latency_ms: z.number().meta({
      description: 'From the last byte of the frame at our socket to the event.',
    }),
    start_seconds: z.number().optional().meta({ description: 'Of a clip.' }),
    end_seconds: z.number().optional(),
    duration_seconds: z.number().optional().meta({ description: 'Of a summary.' }),
    frames_analyzed: z.int().optional(),
    clips_analyzed: z.int().optional(),
    frames_dropped: z.int().optional(),
    reason: z.enum(streamEndReasons).optional().meta({
      description: 'Of a summary: why the stream has ended.',
    }),
    coverage: Coverage.optional(),
    covered_by: CoveredBy.optional(),
    notes: z.array(Note).optional(),
    code: z.enum(streamErrorCodes).optional(),
    message: z.string().optional(),
    retryable: z.boolean().optional(),
  })
  .meta({ id: 'StreamEvent' });

/** The first message of a client that pushes over the WebSocket. */
export const PushStart = z
  .object({
    type: z.literal('start'),
    format: z.enum(pixelFormats),
    width: z.int().min(16).max(8192),
    height: z.int().min(16).max(8192),
  })
  .meta({ id: 'PushStart' });

const PushAck = z
  .object({ type: z.literal('ack'), seq: z.int(), accepted: z.int(), dropped: z.int() })
  .meta({ id: 'PushAck' });

export const streamOperations = {
  createStream: defineOperation({
    method: 'POST',
    path: '/api/videomoderation/streams',
    tag,
    summary: 'Starts a session for a live stream',
    description: 'Over the limits of sessions: 429 with `Retry-After`.',
    access: 'jwt_or_key',
    body: StreamRequest,
    response: StreamCreated,
    errors: [404, 503],
  }),
  listStreams: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/streams',
    tag,
    summary: 'Sessions of the caller’s tenant, newest first',
    access: 'jwt_or_key',
    query: z.object({
      status: z.enum(streamStatuses).optional(),
      limit: queryInteger({ min: 1, max: 500, preset: 50 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ streams: z.array(StreamSession), total: z.int() }),
  }),
  getStream: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/streams/{stream_id}',
    tag,
    summary: 'One session',
    access: 'jwt_or_key',
    params: byId,
    response: StreamSession,
    errors: [404],
  }),
  followStream: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/streams/{stream_id}/feed',
    tag,
    summary: 'The events of a session as server-sent events; replays as the event socket does',
    description: 'The name of an event is its `type`, its id the `seq`. It ends after the `summary`.',
    access: 'jwt_or_key',
    params: byId,
    query: z.object({ after: z.coerce.number().int().min(0).optional() }),
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404],
  }),
  deleteStream: defineOperation({
    method: 'DELETE',
    path: '/api/videomoderation/streams/{stream_id}',
    tag,
    summary: 'Stops a session; answers when its `summary` event is out, and the same when asked again',
    access: 'jwt_or_key',
    params: byId,
    response: StreamSession,
    errors: [403, 404],
  }),
  publishWebRtc: defineOperation({
    method: 'POST',
    path: '/api/videomoderation/streams/{stream_id}/whip',
    tag,
    summary: 'Publishes to a session by WebRTC (WHIP, RFC 9725): an SDP offer, answered by an SDP answer',
    description:
      'Wants the `ingest_token` as `Authorization: Bearer …` or `?token=`, as programs that publish have it, or an API key.',
    access: 'public',
    params: byId,
    query: z.object({ token: z.string().max(2000).optional() }),
    headers: z.object({ Authorization: z.string().max(4000).optional() }),
    alsoTakes: ['application/sdp'],
    body: z.string().min(1).max(200_000),
    status: 201,
    response: z.string(),
    contentType: 'application/sdp',
    errors: [401, 403, 404, 409],
  }),
  endWebRtc: defineOperation({
    method: 'DELETE',
    path: '/api/videomoderation/streams/{stream_id}/whip',
    tag,
    summary: 'Ends publishing by WebRTC, and with it the session',
    access: 'public',
    params: byId,
    query: z.object({ token: z.string().max(2000).optional() }),
    headers: z.object({ Authorization: z.string().max(4000).optional() }),
    response: z.object({ message: z.string() }),
    errors: [401, 403, 404, 409],
  }),
};

/** Operations over WebSockets. */
export const streamSockets = {
  streamEvents: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/streams/{stream_id}/events',
    tag,
    summary: 'The events of a session over a WebSocket; replays what came after `after`, 256 events at most',
    access: 'jwt_or_key',
    params: byId,
    query: z.object({
      after: z.coerce.number().int().min(0).optional(),
      token: z.string().max(2000).optional(),
    }),
    response: StreamEvent,
    errors: [404],
  }),
  ingestFrames: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/streams/{stream_id}/ingest',
    tag,
    summary: 'Frames pushed over a WebSocket',
    description:
      'First a text message as `PushStart`, then binary messages: a header of 16 bytes (magic 0x564D, version u8, ' +
      'flags u8: 1 key, 2 configuration; sequence number u32; time in µs u64; big-endian) and one access unit, JPEG or raw ' +
      'frame; at last `{"type":"end"}`. Only for the owner of the session, administrators and the `ingest_token`, which is ' +
      'also taken as a bearer. Close codes 4400, 4401, 4403, 4404, 4408, 4409, 4413, 4429.',
    access: 'jwt_or_key',
    params: byId,
    query: z.object({ token: z.string().max(2000).optional() }),
    response: PushAck,
    errors: [404],
  }),
};
