import { openAsBlob, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { z } from 'zod';
import { refusalOf } from '#base/contract/client.ts';
import { AppError } from '#base/errors.ts';
import { readEvents } from '#base/events/read-events.ts';
import { VideoResult } from '#services/video-moderation/contract/checks.ts';
import { keyOrLocalKey, videoModerationUrlOf, type SignInOptions } from '../connection.ts';

export interface VideoOptions extends SignInOptions {
  fps?: number;
  clipSeconds?: number;
  deployment?: string;
}

export type VideoReport = z.output<typeof VideoResult>;

export interface Progress {
  readonly analyzed_seconds: number;
  readonly duration_seconds: number | null;
}

/** Events of one check; a result with thumbnails is the largest. */
const limitBytes = 64 * 1024 * 1024;

const isAddress = (source: string) => /^https?:\/\//.test(source);

/** Has a file or an address judged by the service. @throws AppError as the service says */
export async function checkVideo(
  source: string,
  options: VideoOptions,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<VideoReport> {
  const baseUrl = videoModerationUrlOf(options);
  const headers = (await keyOrLocalKey({ ...options, baseUrl }))();
  const path = isAddress(source) ? '/api/videomoderation/progress' : '/api/videomoderation/files';
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    ...(isAddress(source) ? byAddress(source, options, headers) : await byFile(source, options, headers)),
    ...(signal !== undefined && { signal }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new AppError(502, 'unreachable', `Video moderation cannot be reached at ${baseUrl}.`, { cause });
  });
  if (!response.ok || response.body === null) throw await refusalOf(response);
  for await (const { event, data } of readEvents(response.body as AsyncIterable<Uint8Array>, limitBytes)) {
    if (event === 'progress') onProgress(JSON.parse(data) as Progress);
    if (event === 'result') return VideoResult.parse(JSON.parse(data));
    if (event === 'failed') {
      const { status, detail } = JSON.parse(data) as { status: number; detail: string };
      throw new AppError(status, 'refused', detail);
    }
  }
  throw new AppError(502, 'unreachable', 'The service ended its answer before the result.');
}

function byAddress(
  url: string,
  { fps, clipSeconds, deployment }: VideoOptions,
  headers: Record<string, string>,
) {
  const body = {
    video_url: url,
    thumbnails: true,
    sampling: {
      ...(fps !== undefined && { fps }),
      ...(clipSeconds !== undefined && { clip_seconds: clipSeconds }),
    },
    ...(deployment !== undefined && { deployment_id: deployment }),
  };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function byFile(
  path: string,
  { fps, clipSeconds, deployment }: VideoOptions,
  headers: Record<string, string>,
) {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new AppError(400, 'no_file', `There is no file ${path}.`);
  const form = new FormData();
  if (fps !== undefined) form.set('fps', String(fps));
  if (clipSeconds !== undefined) form.set('clip_seconds', String(clipSeconds));
  if (deployment !== undefined) form.set('deployment_id', deployment);
  form.set('thumbnails', 'true');
  form.set('file', await openAsBlob(path), basename(path));
  return { headers, body: form };
}
