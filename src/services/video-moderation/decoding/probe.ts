/** What a file holds, before it is decoded. */
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { AppError, invalid } from '#base/errors.ts';
import type { Decoder } from './decoder.ts';

export interface Media {
  readonly container: 'mp4' | 'mov' | 'webm' | 'matroska';
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: number | undefined;
  /** As the file says; undefined where it does not. */
  readonly durationSeconds: number | undefined;
  readonly sizeBytes: number;
  readonly hasAudio: boolean;
  readonly subtitles: readonly Subtitles[];
  /** Tags of the file and of its streams, in lower case. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface Subtitles {
  /** Of all streams of the file. */
  readonly index: number;
  readonly codec: string;
  readonly language: string | undefined;
  /** Whether it is text, and no pictures of text. */
  readonly isText: boolean;
}

const videoCodecs: ReadonlySet<string> = new Set([
  'h264',
  'hevc',
  'vp8',
  'vp9',
  'av1',
  'mjpeg',
  'mpeg4',
  'prores',
]);
const textSubtitles: ReadonlySet<string> = new Set(['mov_text', 'subrip', 'webvtt', 'ass', 'ssa', 'text']);
const probeMs = 10_000;
const headBytes = 64;
/** With which such a file may begin. */
const boxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'free', 'wide', 'skip', 'pnot']);

const unsupported = (detail: string) => new AppError(415, 'unsupported_media', detail);

/** By the first bytes: an ISO base media file or a Matroska one. */
async function sniffed(path: string): Promise<Media['container'] | undefined> {
  await using file = await open(path, 'r');
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  if (bytesRead >= 4 && head.readUInt32BE(0) === 0x1a45dfa3)
    return head.includes('webm') ? 'webm' : 'matroska';
  const type = head.subarray(4, 8).toString('latin1');
  if (bytesRead < 8 || !boxes.has(type)) return undefined;
  return type === 'ftyp' && head.subarray(8, 12).toString('latin1') !== 'qt  ' ? 'mp4' : 'mov';
}

const number = z.coerce.number().optional().catch(undefined);
const tags = z.record(z.string(), z.coerce.string()).default({}).catch({});
const Report = z.object({
  format: z.object({ format_name: z.string(), duration: number, tags }),
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.string().default(''),
      codec_name: z.string().default('unknown'),
      width: z.int().default(0),
      height: z.int().default(0),
      avg_frame_rate: z.string().default('0/0'),
      duration: number,
      tags,
      disposition: z.record(z.string(), z.number()).default({}),
    }),
  ),
});

function rateOf(text: string): number | undefined {
  const [above = 0, below = 0] = text.split('/').map(Number);
  return below > 0 && above > 0 ? above / below : undefined;
}

const lowered = (all: readonly Record<string, string>[]) =>
  Object.fromEntries(
    all.flatMap((each) => Object.entries(each).map(([name, value]) => [name.toLowerCase(), value])),
  );

/**
 * @param path a file of ours
 * @throws AppError 415 for another format or codec, 422 for a broken file, 413 for pictures that are too large
 */
export async function probe(
  decoder: Decoder,
  path: string,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<Media> {
  if (sizeBytes === 0) throw invalid('The video is empty.');
  const kind = await sniffed(path);
  if (kind === undefined)
    throw unsupported('The file is no MP4, WebM or MOV: its first bytes are those of another format.');
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...decoder.inputOptions(path)];
  const ended = await decoder.run('ffprobe', args, { wallMs: probeMs }, { file: path, signal });
  signal.throwIfAborted();
  const read = Report.safeParse(parsed(ended.stdout));
  if (!read.success || ended.code !== 0)
    throw invalid(
      ended.reason === 'exited' || ended.reason === 'crashed'
        ? 'The video cannot be read: the file is broken or incomplete.'
        : `The video cannot be read: ${ended.message}`,
    );
  return mediaOf(read.data, kind, sizeBytes, decoder.settings.mostPixels);
}

function mediaOf(
  { format, streams }: z.infer<typeof Report>,
  container: Media['container'],
  sizeBytes: number,
  mostPixels: number,
): Media {
  const video = streams.find(
    ({ codec_type: type, disposition }) => type === 'video' && disposition['attached_pic'] !== 1,
  );
  if (video === undefined) throw invalid('The file has no video stream.');
  const { codec_name: codec, width, height } = video;
  if (!videoCodecs.has(codec))
    throw unsupported(`The video codec ${codec} is not read. Use one of ${[...videoCodecs].join(', ')}.`);
  if (width < 1 || height < 1) throw invalid('The video cannot be read: its size is missing.');
  if (width * height > mostPixels)
    throw new AppError(
      413,
      'too_large',
      `The video has pictures of ${width} × ${height}; ${mostPixels} pixels are the most.`,
    );
  const durations = [format.duration, video.duration].filter(
    (each) => each !== undefined && Number.isFinite(each) && each > 0,
  ) as number[];
  return {
    container,
    codec,
    width,
    height,
    frameRate: rateOf(video.avg_frame_rate),
    durationSeconds: durations.length === 0 ? undefined : Math.max(...durations),
    sizeBytes,
    hasAudio: streams.some(({ codec_type: type }) => type === 'audio'),
    subtitles: streams
      .filter(({ codec_type: type }) => type === 'subtitle')
      .map(({ index, codec_name: name, tags: own }) => ({
        index,
        codec: name,
        language: own['language'],
        isText: textSubtitles.has(name),
      })),
    tags: lowered([...streams.map((stream) => stream.tags), format.tags]),
  };
}

function parsed(output: Buffer): unknown {
  try {
    return JSON.parse(output.toString('utf8'));
  } catch {
    return undefined;
  }
}
