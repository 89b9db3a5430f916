/** Follows a live session, or starts one for an address, until it ends or the person stops it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { createClient, refusalOf } from '#base/contract/client.ts';
import { AppError } from '#base/errors.ts';
import { readEvents } from '#base/events/read-events.ts';
import { StreamEvent, streamOperations } from '#services/video-moderation/contract/streams.ts';
import { keyOrLocalKey, videoModerationUrlOf } from '../connection.ts';
import { plain } from '#base/log/plain.ts';
import type { VideoOptions } from './open.ts';

export type LiveEvent = z.output<typeof StreamEvent>;

const limitBytes = 1024 * 1024;
const retryMs = 1000;
const mostRetries = 30;
/** Ending a session waits for what is still being judged. */
const endTimeoutMs = 60_000;

/** @throws AppError 400 for an address of an unknown kind */
export function transportOf(address: string): 'hls' | 'dash' | 'rtmp' | 'rtmps' {
  const { protocol, pathname } = new URL(address);
  if (protocol === 'rtmp:' || protocol === 'rtmps:') return protocol === 'rtmp:' ? 'rtmp' : 'rtmps';
  if (/^https?:$/.test(protocol) && pathname.endsWith('.mpd')) return 'dash';
  if (/^https?:$/.test(protocol)) return 'hls';
  throw new AppError(400, 'bad_address', 'The address must begin with http(s):// or rtmp(s)://.');
}

const isAddress = (stream: string) => /^[a-z]+:\/\//i.test(stream);

export interface Watched {
  /** Undefined where the person stopped listening to a session of others. */
  readonly summary: LiveEvent | undefined;
}

/**
 * @param stream the id of a session, or an address that one is started for, and ended with the watching
 * @throws AppError as the service says
 */
export async function watchStream(
  stream: string,
  options: VideoOptions,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<Watched> {
  const baseUrl = videoModerationUrlOf(options);
  const headers = await keyOrLocalKey({ ...options, baseUrl });
  const client = createClient(streamOperations, { baseUrl, headers, timeoutMs: endTimeoutMs });
  const isOwn = isAddress(stream);
  const streamId = isOwn ? await start(client, stream, options) : stream;
  const follower = new Follower(`${baseUrl}/api/videomoderation/streams/${streamId}/feed`, headers, onEvent);
  const summary = await follower.follow(signal);
  if (summary !== undefined || !isOwn) return { summary };
  await client.deleteStream({ params: { stream_id: streamId } });
  // What came with the end.
  return { summary: await follower.follow(AbortSignal.timeout(endTimeoutMs)) };
}

async function start(
  client: ReturnType<typeof createClient<typeof streamOperations>>,
  address: string,
  { fps, clipSeconds, deployment }: VideoOptions,
): Promise<string> {
  const { stream_id: id } = await client.createStream({
    body: {
      transport: transportOf(address),
      source_url: address,
      sampling: {
        ...(fps !== undefined && { fps }),
        ...(clipSeconds !== undefined && { clip_seconds: clipSeconds }),
      },
      ...(deployment !== undefined && { deployment_id: deployment }),
    },
  });
  return id;
}

class Follower {
  readonly #url: string;
  readonly #headers: () => Record<string, string>;
  readonly #onEvent: (event: LiveEvent) => void;
  #last = 0;

  constructor(url: string, headers: () => Record<string, string>, onEvent: (event: LiveEvent) => void) {
    this.#url = url;
    this.#headers = headers;
    this.#onEvent = onEvent;
  }

  /** Up to the summary, through lost connections; undefined where the signal comes first. */
  async follow(signal: AbortSignal): Promise<LiveEvent | undefined> {
    for (let failures = 0; !signal.aborted;) {
      const before = this.#last;
      try {
        const summary = await this.#read(signal);
        if (summary !== undefined) return summary;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (error instanceof AppError && error.status < 500) throw error;
        failures = this.#last > before ? 1 : failures + 1;
        if (failures > mostRetries) throw error;
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  async #read(signal: AbortSignal): Promise<LiveEvent | undefined> {
    const headers = { ...this.#headers(), ...(this.#last > 0 && { 'last-event-id': String(this.#last) }) };
    const response = await fetch(this.#url, { headers, signal });
    if (!response.ok || response.body === null) throw await refusalOf(response);
    for await (const { event: name, data } of readEvents(
      response.body as AsyncIterable<Uint8Array>,
      limitBytes,
    )) {
      if (name === 'dropped' || data === '') continue;
      const event = StreamEvent.parse(JSON.parse(data));
      this.#last = event.seq;
      this.#onEvent(event);
      if (event.type === 'summary') return event;
    }
    return undefined;
  }
}

/** One line for people; undefined for frames without a flag, of which there are many. */
export function lineOf(event: LiveEvent): string | undefined {
  const { type, flag, categories, probs, timestamp_seconds: at } = event;
  const flagged = Object.entries(categories)
    .filter(([, isFlagged]) => isFlagged)
    .map(([category]) => `${category} ${(probs[category] ?? 0).toFixed(2)}`)
    .join(', ');
  const time = `${at.toFixed(1).padStart(8)} s`;
  if (type === 'error') return `${time}  ! ${event.code ?? 'error'}: ${plain(event.message ?? '')}`;
  if (type === 'summary') return undefined;
  if (!flag) return type === 'clip' ? `${time}    clip` : undefined;
  return `${time}  ! ${type}  ${flagged}`;
}

/** The end, with how each category was looked for. */
export function printSummary(summary: LiveEvent): void {
  const { flag, coverage = {}, notes = [] } = summary;
  console.log(`${flag ? 'FLAGGED' : 'Nothing flagged'}: ${figuresOf(summary)}`);
  for (const [category, level] of Object.entries(coverage))
    console.log(categoryLine(summary, category, level));
  for (const { message } of notes) console.log(`  Note: ${plain(message)}`);
}

function figuresOf({
  duration_seconds: seconds = 0,
  frames_analyzed: frames = 0,
  ...summary
}: LiveEvent): string {
  const { clips_analyzed: clips = 0, frames_dropped: dropped = 0, reason = 'ended' } = summary;
  return `${seconds.toFixed(1)} s, ${frames} frames, ${clips} clips, ${dropped} frames dropped (${reason})`;
}

function categoryLine({ categories, probs }: LiveEvent, category: string, level: string): string {
  const mark = categories[category] === true ? '!' : ' ';
  const looked = level === 'none' ? 'not looked for' : `looked for: ${level}`;
  return `${mark} ${(probs[category] ?? 0).toFixed(2)}  ${category.padEnd(28)} ${looked}`;
}
