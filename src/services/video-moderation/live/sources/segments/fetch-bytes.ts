import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';

/** A part of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface BytesRequest {
  readonly url: string;
  readonly range?: ByteRange | undefined;
  readonly mostBytes: number;
}

const headTimeoutMs = 10_000;
const maxRedirects = 3;

/**
 * Fetches through the guard on outgoing calls.
 * @returns the bytes, and the address after redirects
 * @throws AppError 422 for a forbidden address, 404 where it is gone, 502, 504; the signal’s reason
 */
export async function fetchBytes(
  outbound: Outbound,
  { url, range, mostBytes }: BytesRequest,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; url: string }> {
  const answer = await outbound.request(url, {
    headers: range === undefined ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` },
    maxRedirects,
    headTimeoutMs,
    idleTimeoutMs: headTimeoutMs,
    signal,
  });
  if (answer.status !== 200 && answer.status !== 206) {
    answer.body.destroy();
    const status = answer.status === 404 || answer.status === 410 ? 404 : 502;
    throw new AppError(status, 'source_unreachable', `The source answered with status ${answer.status}.`);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer.body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) {
      answer.body.destroy();
      throw new AppError(422, 'decode_failed', `A file of the source has more than ${mostBytes} bytes.`);
    }
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  // A server that knows no ranges sends everything.
  if (range === undefined || answer.status === 206) return { bytes, url: answer.url };
  return { bytes: bytes.subarray(range.offset, range.offset + range.length), url: answer.url };
}
