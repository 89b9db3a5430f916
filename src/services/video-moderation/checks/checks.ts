/** Checks of videos on behalf of callers: admission, deadline, and what is left on disk. */
import { AppError, tooManyRequests } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { createSemaphore, type Semaphore } from '#base/semaphore.ts';
import type { Caller } from '#identity/caller.ts';
import type { Settings } from '../deployments/settings.ts';
import type { Evidence } from '../detectors/detector.ts';
import { decodeBase64, fetchVideo, type SpooledVideo, copyUpload } from '../intake/spool.ts';
import { analyse, type AnalysisDeps } from './analyse.ts';
import type { VideoAnalysis } from './result.ts';

export type Source =
  | { readonly url: string }
  | { readonly base64: string }
  /** `limitBytes` has been checked while it arrived. */
  | { readonly file: Blob };

export interface CheckSettings {
  readonly urlBytes: number;
  readonly base64Bytes: number;
  readonly longestSeconds: number;
  readonly deadlineSeconds: number;
  readonly checksAtOnce: number;
  readonly checksWaiting: number;
}

export interface Question {
  readonly caller: Caller;
  readonly source: Source;
  readonly settings: Settings;
  readonly fps: number;
  readonly clipSeconds: number;
  readonly thumbnails: boolean;
  /** The caller has gone. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (analyzedSeconds: number, durationSeconds: number | undefined) => void;
  readonly onFinding?: (finding: Evidence) => void;
}

class DeadlinePassed extends Error {}

const late = (seconds: number) =>
  new AppError(
    504,
    'deadline',
    `The video could not be judged within ${seconds} s. Send a shorter one, or a lower 'sampling.fps'.`,
  );

export class Checks {
  readonly #deps: AnalysisDeps & { readonly outbound: Outbound };
  readonly #settings: CheckSettings;
  readonly #places: Semaphore;
  #running = 0;

  constructor(deps: AnalysisDeps & { readonly outbound: Outbound }, settings: CheckSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#places = createSemaphore(settings.checksAtOnce, { mostWaiting: settings.checksWaiting });
  }

  /** Whether another check may begin or wait. @throws AppError 429 */
  admit(): void {
    if (this.#running >= this.#settings.checksAtOnce + this.#settings.checksWaiting)
      throw tooManyRequests('Too many videos are being judged. Try again in a moment.', 5);
  }

  /** @throws AppError as the contract says */
  async run(question: Question): Promise<VideoAnalysis> {
    this.admit();
    this.#running += 1;
    const deadline = new AbortController();
    const { deadlineSeconds } = this.#settings;
    const timer = setTimeout(() => deadline.abort(new DeadlinePassed()), deadlineSeconds * 1000);
    const gone = question.signal;
    const signal = gone === undefined ? deadline.signal : AbortSignal.any([deadline.signal, gone]);
    try {
      using _place = await this.#places.acquire(signal);
      await using video = await this.#fetched(question.source, signal);
      return await this.#analyse(question, video, signal);
    } catch (error) {
      throw deadline.signal.aborted && !(gone?.aborted === true) ? late(deadlineSeconds) : error;
    } finally {
      clearTimeout(timer);
      this.#running -= 1;
    }
  }

  #fetched(source: Source, signal: AbortSignal): Promise<SpooledVideo> {
    const { urlBytes, base64Bytes } = this.#settings;
    if ('url' in source) return fetchVideo(this.#deps.outbound, source.url, urlBytes, signal);
    if ('base64' in source) return decodeBase64(source.base64, base64Bytes);
    return copyUpload(source.file, Infinity, signal);
  }

  #analyse(
    question: Question,
    { path, sizeBytes }: SpooledVideo,
    signal: AbortSignal,
  ): Promise<VideoAnalysis> {
    const { longestSeconds, deadlineSeconds } = this.#settings;
    const { caller, settings, fps, clipSeconds, thumbnails } = question;
    return analyse(this.#deps, {
      path,
      sizeBytes,
      caller,
      settings,
      fps,
      clipSeconds,
      thumbnails,
      longestSeconds,
      wallMs: deadlineSeconds * 1000,
      signal,
      onProgress: question.onProgress ?? (() => undefined),
      onFinding: question.onFinding ?? (() => undefined),
    });
  }
}
