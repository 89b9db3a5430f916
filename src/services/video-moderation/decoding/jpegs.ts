/** Pictures of a part of a file as JPEG, for models and detectors elsewhere. */
import type { Decoder } from './decoder.ts';
import { globalArgs } from './decode.ts';
import type { Media } from './probe.ts';

export interface JpegRequest {
  readonly path: string;
  readonly media: Pick<Media, 'width' | 'height'>;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Evenly spread over the part. */
  readonly most: number;
}

/** Longer side, in pixels: enough for models, and little to send. */
const longestSide = 512;
const wallMs = 20_000;
const endOfImage = Buffer.from([0xff, 0xd9]);
const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);

/** JPEG files one after another; an end mark cannot be within compressed data. */
export function splitJpegs(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(startOfImage); at >= 0;) {
    const end = bytes.indexOf(endOfImage, at);
    if (end < 0) break;
    found.push(bytes.subarray(at, end + 2));
    at = bytes.indexOf(startOfImage, end + 2);
  }
  return found;
}

/** @returns as many as could be decoded, in the order of time */
export async function jpegsOf(
  decoder: Decoder,
  { path, media, startSeconds, endSeconds, most }: JpegRequest,
  signal: AbortSignal,
): Promise<{ seconds: number; jpeg: Buffer }[]> {
  const length = Math.max(0.1, endSeconds - startSeconds);
  const step = length / most;
  const scale = Math.min(1, longestSide / Math.max(media.width, media.height));
  const even = (size: number) => Math.max(16, 2 * Math.round((size * scale) / 2));
  const filter =
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${(step * 0.99).toFixed(3)})',` +
    `scale=${even(media.width)}:${even(media.height)},format=yuvj420p`;
  const args = [
    ...globalArgs(decoder.settings),
    '-ss',
    startSeconds.toFixed(3),
    '-t',
    length.toFixed(3),
    ...decoder.inputOptions(path),
    '-an',
    '-sn',
    '-dn',
    '-vf',
    filter,
    '-vsync',
    'passthrough',
    '-frames:v',
    String(most),
    '-c:v',
    'mjpeg',
    '-q:v',
    '4',
    '-f',
    'image2pipe',
    'pipe:1',
  ];
  const { stdout } = await decoder.run('ffmpeg', args, { wallMs }, { file: path, signal });
  signal.throwIfAborted();
  return splitJpegs(stdout).map((jpeg, i) => ({ seconds: startSeconds + i * step, jpeg }));
}
