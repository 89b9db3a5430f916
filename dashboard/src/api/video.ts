import type { z } from 'zod';
import { createClient } from '#base/contract/client.ts';
import { AppError } from '#base/errors.ts';
import { checkOperations, VideoResult } from '#services/video-moderation/contract/checks.ts';
import { deploymentOperations } from '#services/video-moderation/contract/deployments.ts';
import { StreamEvent, streamOperations } from '#services/video-moderation/contract/streams.ts';
import { authorisedFetch } from '../session/session.ts';
import { events, eventsOf } from './event-stream.ts';

const baseUrl = '/services/video-moderation';

export const video = createClient(
  { ...checkOperations, ...deploymentOperations, ...streamOperations },
  { baseUrl, fetch: authorisedFetch },
);

/** The first part of every key. */
export const videoKey = ['video'] as const;

export type Result = z.output<typeof VideoResult>;
export type Capabilities = Awaited<ReturnType<typeof video.getCapabilities>>;
export type Deployment = Awaited<ReturnType<typeof video.getDeployment>>;
export type DetectorName = Capabilities['detectors'][number]['detector'];

export type LiveSession = Awaited<ReturnType<typeof video.getStream>>;
export type CreatedSession = Awaited<ReturnType<typeof video.createStream>>;
export type LiveEvent = z.output<typeof StreamEvent>;

/** Events of a live session as they come, up to its summary. @throws AppError where the session is not there */
export async function followSession(
  streamId: string,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  await events(`${baseUrl}/api/videomoderation/streams/${encodeURIComponent(streamId)}/feed`, {
    fetch: authorisedFetch,
    signal: either,
    onEvent: ({ event, data }) => {
      if (event === 'dropped') return;
      const found = StreamEvent.parse(JSON.parse(data));
      onEvent(found);
      if (found.type === 'summary') ended.abort();
    },
  });
}

export interface Progress {
  readonly analyzed_seconds: number;
  readonly duration_seconds: number | null;
}

export interface CheckRequest {
  readonly source: { readonly url: string } | { readonly file: File };
  readonly deploymentId: string | undefined;
  readonly fps: number;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/** Has a video judged, with progress. @throws AppError as the service says */
export async function checkVideo({
  source,
  deploymentId,
  fps,
  onProgress,
  signal,
}: CheckRequest): Promise<Result> {
  const response = await ('url' in source
    ? authorisedFetch(`${baseUrl}/api/videomoderation/progress`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          video_url: source.url,
          sampling: { fps },
          thumbnails: true,
          ...(deploymentId !== undefined && { deployment_id: deploymentId }),
        }),
        signal,
      })
    : authorisedFetch(`${baseUrl}/api/videomoderation/files`, {
        method: 'POST',
        body: formOf(source.file, fps, deploymentId),
        signal,
      }));
  for await (const { event, data } of eventsOf(response)) {
    const value: unknown = JSON.parse(data);
    if (event === 'progress') onProgress(value as Progress);
    if (event === 'result') return VideoResult.parse(value);
    if (event === 'failed') {
      const { status, detail } = value as { status: number; detail: string };
      throw new AppError(status, 'refused', detail);
    }
  }
  throw new AppError(502, 'unreachable', 'The service ended the answer before its result.');
}

function formOf(file: File, fps: number, deploymentId: string | undefined): FormData {
  const form = new FormData();
  form.set('fps', String(fps));
  form.set('thumbnails', 'true');
  if (deploymentId !== undefined) form.set('deployment_id', deploymentId);
  form.set('file', file);
  return form;
}
