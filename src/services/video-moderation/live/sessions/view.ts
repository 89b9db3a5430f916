import type { z } from 'zod';
import type { Answer } from '#base/contract/operation.ts';
import type { LoggedEvent } from '#base/events/event-store.ts';
import { threeDecimals } from '#base/three-decimals.ts';
import { coveredByToWire } from '../../checks/view.ts';
import type {
  StreamEvent,
  streamEndReasons,
  streamErrorCodes,
  streamOperations,
} from '../../contract/streams.ts';
import type { JudgedClip, JudgeSink, LiveSummary } from '../judging/live-judge.ts';
import type { StoredStream } from './store.ts';

/** An event before it is numbered. */
export type EventBody = Omit<z.output<typeof StreamEvent>, 'seq' | 'event_id'>;
export type EndReason = (typeof streamEndReasons)[number];
export type StreamErrorCode = (typeof streamErrorCodes)[number];

type Frame = Parameters<JudgeSink['frame']>[0];

const fourDecimals = (value: number) => Math.round(value * 10_000) / 10_000;
const probsToWire = (probs: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(probs).map(([id, value]) => [id, fourDecimals(value)]));

const judged = (streamId: string, { seconds, flag, categories, probs, latencyMs }: Frame) => ({
  stream_id: streamId,
  timestamp_seconds: threeDecimals(seconds),
  flag,
  categories: { ...categories },
  probs: probsToWire(probs),
  latency_ms: threeDecimals(Math.max(0, latencyMs)),
});

export const frameEvent = (streamId: string, frame: Frame): EventBody => ({
  ...judged(streamId, frame),
  type: 'frame',
});

export const clipEvent = (streamId: string, clip: JudgedClip): EventBody => ({
  ...judged(streamId, clip),
  type: 'clip',
  start_seconds: threeDecimals(clip.startSeconds),
  end_seconds: threeDecimals(clip.endSeconds),
});

export const summaryEvent = (streamId: string, summary: LiveSummary, reason: EndReason): EventBody => ({
  ...judged(streamId, { ...summary, seconds: summary.durationSeconds, latencyMs: 0 }),
  type: 'summary',
  duration_seconds: threeDecimals(summary.durationSeconds),
  frames_analyzed: summary.framesAnalyzed,
  clips_analyzed: summary.clipsAnalyzed,
  frames_dropped: summary.framesDropped,
  reason,
  coverage: { ...summary.coverage },
  covered_by: coveredByToWire(summary.covering),
  notes: [...summary.notes],
});

export interface StreamProblem {
  readonly code: StreamErrorCode;
  /** For people, without addresses of others or output of programs. */
  readonly message: string;
  readonly retryable: boolean;
}

export const errorEvent = (streamId: string, seconds: number, problem: StreamProblem): EventBody => ({
  ...judged(streamId, { seconds, flag: false, categories: {}, probs: {}, latencyMs: 0 }),
  type: 'error',
  ...problem,
});

/** An event as it was logged, with its number. */
export const loggedToWire = ({
  seq,
  data,
}: Pick<LoggedEvent, 'seq' | 'data'>): z.output<typeof StreamEvent> => ({
  ...(JSON.parse(data) as EventBody & { event_id: string }),
  seq,
});

export interface StreamAddresses {
  readonly websocketUrl: string;
  readonly ingestUrl: string | undefined;
}

export const streamToWire = (
  stream: StoredStream,
  { websocketUrl, ingestUrl }: StreamAddresses,
  events: number,
): Answer<typeof streamOperations.getStream> => ({
  stream_id: stream.streamId,
  status: stream.status,
  websocket_url: websocketUrl,
  ...(ingestUrl !== undefined && { ingest_url: ingestUrl }),
  expires_at: stream.expiresAt.toISOString(),
  transport: stream.settings.transport,
  source_url: stream.settings.sourceUrl,
  callback_url: stream.settings.callbackUrl,
  callback_events: stream.settings.callbackEvents,
  deployment_id: stream.settings.deploymentId,
  sampling: { fps: stream.settings.fps, clip_seconds: stream.settings.clipSeconds },
  ingest_state: stream.ingestState,
  frames_analyzed: stream.framesAnalyzed,
  clips_analyzed: stream.clipsAnalyzed,
  frames_dropped: stream.framesDropped,
  events,
  coverage: { ...stream.coverage },
  error: stream.error,
  created_at: stream.createdAt.toISOString(),
  finished_at: stream.finishedAt?.toISOString() ?? null,
});
