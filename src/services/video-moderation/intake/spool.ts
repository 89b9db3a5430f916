/** Videos on disk while they are judged: a folder of its own for each, which is deleted whatever happens. */
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';

export interface SpooledVideo extends AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
}

const connectTimeoutMs = 10_000;
const stallTimeoutMs = 30_000;
const mostRedirects = 3;

const tooLarge = (limitBytes: number, what = 'The video') =>
  new AppError(413, 'too_large', `${what} is larger than ${limitBytes} bytes, which is the most.`);

/** The decoder runs as another user, who must be able to read the file, and nobody can list the folder. */
async function spool(write: (path: string) => Promise<void>): Promise<SpooledVideo> {
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-video-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await chmod(folder, 0o711);
    const path = join(folder, 'video');
    await write(path);
    await chmod(path, 0o644);
    return { path, sizeBytes: (await stat(path)).size, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function* limited(source: Readable, limitBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
}

const stored = (source: Readable, limitBytes: number, signal: AbortSignal): Promise<SpooledVideo> =>
  spool((path) =>
    pipeline(limited(source, limitBytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal }),
  );

/**
 * Fetches a video through the guard on outgoing calls.
 * @throws AppError 413; 422 for an address that must not be contacted; 502 or 504 where it does not answer with a file
 */
export async function fetchVideo(
  outbound: Outbound,
  url: string,
  limitBytes: number,
  signal: AbortSignal,
): Promise<SpooledVideo> {
  const answer = await outbound.request(url, {
    signal,
    headTimeoutMs: connectTimeoutMs,
    idleTimeoutMs: stallTimeoutMs,
    maxRedirects: mostRedirects,
  });
  const failed = (detail: string) => {
    answer.body.destroy();
    return new AppError(502, 'source_unreachable', detail);
  };
  if (answer.status !== 200) throw failed(`'video_url' answered with status ${answer.status}, and no file.`);
  if (Number(answer.headers['content-length']) > limitBytes) {
    answer.body.destroy();
    throw tooLarge(limitBytes);
  }
  try {
    return await stored(answer.body, limitBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const isSlow = String((error as { code?: unknown }).code).includes('TIMEOUT');
    throw isSlow
      ? new AppError(504, 'timed_out', "'video_url' stopped sending.", { cause: error })
      : new AppError(502, 'source_unreachable', "'video_url' broke off before the end of the file.", {
          cause: error,
        });
  }
}

/**
 * Also as a data URI, and with the line ends that programs put into it.
 * @throws AppError 413; 422 for what is not base64
 */
export async function decodeBase64(text: string, limitBytes: number): Promise<SpooledVideo> {
  const content = text.replace(/^data:[^,]*;base64,/i, '').replaceAll(/\s+/g, '');
  if ((content.length / 4) * 3 > limitBytes + 4) throw tooLarge(limitBytes, "'video_b64'");
  if (!/^[\w+/-]+={0,2}$/.test(content)) throw invalid("'video_b64' is not base64.");
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > limitBytes) throw tooLarge(limitBytes, "'video_b64'");
  return spool((path) => writeFile(path, bytes, { flag: 'wx', mode: 0o600 }));
}

/** An uploaded file, which is on disk already, but not where the decoder may read it. */
export async function copyUpload(file: Blob, limitBytes: number, signal: AbortSignal): Promise<SpooledVideo> {
  return stored(
    Readable.fromWeb(file.stream() as Parameters<typeof Readable.fromWeb>[0]),
    limitBytes,
    signal,
  );
}
