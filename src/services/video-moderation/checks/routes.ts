import { AppError, badRequest, invalid } from '#base/errors.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { checkOperations } from '../contract/checks.ts';
import { presetClipSeconds, presetFps } from '../contract/fields.ts';
import type { Decoder } from '../decoding/decoder.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Checks, Question, Source } from './checks.ts';
import { findingToWire, resultToWire } from './view.ts';

export interface CheckRoutesDeps {
  readonly checks: Checks;
  readonly decoder: Decoder;
  readonly deployments: Deployments;
  readonly log: Logger;
}

interface RequestBody {
  readonly video_url?: string | undefined;
  readonly video_b64?: string | undefined;
}

function sourceOf({ video_url: url, video_b64: base64 }: RequestBody): Source {
  if (url !== undefined && base64 !== undefined) throw invalid("Send 'video_url' or 'video_b64', not both.");
  if (url !== undefined) return { url };
  if (base64 !== undefined) return { base64 };
  throw badRequest("'video_url' or 'video_b64' is required.");
}

export function checkHandlers(deps: CheckRoutesDeps): Handlers<typeof checkOperations, Caller> {
  const { checks, decoder, deployments } = deps;
  const ready = (caller: Caller, deploymentId: string | undefined) => {
    checks.admit();
    decoder.assertInstalled();
    return deployments.settings(caller, deploymentId);
  };
  return {
    moderateVideo: async ({ caller, body }) => {
      const start = performance.now();
      const source = sourceOf(body);
      const settings = await ready(caller, body.deployment_id);
      const analysis = await checks.run({
        caller,
        source,
        settings,
        fps: body.sampling.fps,
        clipSeconds: body.sampling.clip_seconds,
        thumbnails: body.thumbnails,
      });
      return resultToWire(analysis, performance.now() - start);
    },
    watchVideo: async ({ caller, body }) => {
      const source = sourceOf(body);
      const settings = await ready(caller, body.deployment_id);
      return watched(deps, {
        caller,
        source,
        settings,
        fps: body.sampling.fps,
        clipSeconds: body.sampling.clip_seconds,
        thumbnails: body.thumbnails,
      });
    },
    uploadVideo: async ({ caller, body }) => {
      const settings = await ready(caller, body.deployment_id);
      return watched(deps, {
        caller,
        source: { file: body.file },
        settings,
        fps: body.fps ?? presetFps,
        clipSeconds: body.clip_seconds ?? presetClipSeconds,
        thumbnails: body.thumbnails,
      });
    },
  };
}

/** Events of a check; it is broken off when its reader has gone. */
function watched({ checks, log }: CheckRoutesDeps, question: Question): EventStream {
  const start = performance.now();
  const events = new EventStream();
  const gone = new AbortController();
  events.once('close', () => gone.abort());
  const work = async () => {
    const analysis = await checks.run({
      ...question,
      signal: gone.signal,
      onProgress: (analyzed, duration) =>
        events.merge('progress', { analyzed_seconds: analyzed, duration_seconds: duration ?? null }),
      onFinding: (finding) => events.offer({ event: 'finding', data: findingToWire(finding) }),
    });
    events.offer({ event: 'result', data: resultToWire(analysis, performance.now() - start) });
  };
  void work()
    .catch((error: unknown) => {
      if (gone.signal.aborted) return;
      if (!(error instanceof AppError)) log.error({ err: error }, 'a video could not be judged');
      const known = error instanceof AppError ? error : undefined;
      const detail = known?.detail ?? 'Internal error; the service’s log has details.';
      events.offer({ event: 'failed', data: { status: known?.status ?? 500, detail } });
    })
    .finally(() => events.finish());
  return events;
}
