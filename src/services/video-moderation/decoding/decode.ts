/** One decode, several outputs: every picture small, samples for image models, and larger ones for words and people. */
import { AppError, invalid } from '#base/errors.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import type { RunningProcess } from '#base/processes/start-process.ts';
import { endOf, type Decoder, type DecoderEnd } from './decoder.ts';
import { readNut } from './nut.ts';

/** Of every picture, for movement and flashes. */
export const flowSize = { width: 96, height: 54 } as const;
/** Of samples, for image models. */
export const sampleSize = { width: 224, height: 224 } as const;
const largeWidth = 640;
/** A little more than 60 pictures a second: screens show no more, and a file can claim any number. */
const shortestStepSeconds = 0.0155;
/** Pictures whose time is rounded must not be missed. */
const slackSeconds = 0.002;

export interface DecodeRequest {
  /** Width and height of the video, for the proportions of large pictures. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Undefined: no large pictures. */
  readonly largeEverySeconds: number | undefined;
  /** Undefined: no pictures of {@link flowSize}. */
  readonly withFlow: boolean;
}

export interface DecodedPicture extends TimedPicture {
  readonly output: 'flow' | 'sample' | 'large';
}

const largeSize = ({ width, height }: Pick<DecodeRequest, 'width' | 'height'>) => {
  const scale = Math.min(1, largeWidth / Math.max(width, height));
  const even = (size: number) => Math.max(16, 2 * Math.round((size * scale) / 2));
  return { width: even(width), height: even(height) };
};

export interface Output {
  readonly output: DecodedPicture['output'];
  readonly width: number;
  readonly height: number;
  readonly stepSeconds: number;
  readonly scaler: string;
  /** Keeps the proportions of pictures whose size is not known before, with black beside or above them. */
  readonly isPadded?: boolean;
}

/** A little less than the step that was asked for: see {@link slackSeconds}. */
export const stepOf = (seconds: number) => Math.max(shortestStepSeconds, seconds - slackSeconds);

export const flowOutput: Output = {
  output: 'flow',
  ...flowSize,
  stepSeconds: shortestStepSeconds,
  scaler: 'fast_bilinear',
};

export const sampleOutput = (fps: number): Output => ({
  output: 'sample',
  ...sampleSize,
  stepSeconds: stepOf(1 / fps),
  scaler: 'bicubic',
});

function outputsOf(request: DecodeRequest): Output[] {
  const { withFlow, fps, largeEverySeconds } = request;
  const large = (everySeconds: number): Output => ({
    output: 'large',
    ...largeSize(request),
    stepSeconds: stepOf(everySeconds),
    scaler: 'bicubic',
  });
  return [
    ...(withFlow ? [flowOutput] : []),
    sampleOutput(fps),
    ...(largeEverySeconds === undefined ? [] : [large(largeEverySeconds)]),
  ];
}

/** One filter graph for all outputs; theirs are named o0, o1 and so on. */
export function filterGraph(outputs: readonly Output[]): string {
  const split = `[0:v:0]split=${outputs.length}${outputs.map((_, i) => `[s${i}]`).join('')}`;
  const chains = outputs.map(
    ({ stepSeconds, ...output }, i) =>
      `[s${i}]select='isnan(prev_selected_t)+gte(t-prev_selected_t,${stepSeconds.toFixed(4)})',` +
      `${scaled(output)},format=rgb24[o${i}]`,
  );
  return [split, ...chains].join(';');
}

const scaled = ({ width, height, scaler, isPadded }: Omit<Output, 'stepSeconds'>): string =>
  isPadded === true
    ? `scale=${width}:${height}:force_original_aspect_ratio=decrease:flags=${scaler},pad=${width}:${height}:-1:-1,setsar=1`
    : `scale=${width}:${height}:flags=${scaler}`;

/** What writes raw pictures as {@link readNut} reads them, each as soon as it is there. */
export const pictureMuxer: readonly string[] = [
  '-vsync',
  'passthrough',
  '-c:v',
  'rawvideo',
  // An encoder with several threads holds pictures back.
  '-threads',
  '1',
  '-f',
  'nut',
  // An index would grow in memory with each picture.
  '-write_index',
  '0',
  '-flush_packets',
  '1',
];

/** Arguments after the input: one filter graph, one NUT with a stream for each output. */
function outputArgs(request: DecodeRequest): string[] {
  const outputs = outputsOf(request);
  return [
    '-filter_complex',
    filterGraph(outputs),
    ...outputs.flatMap((_, i) => ['-map', `[o${i}]`]),
    ...pictureMuxer,
    // In microseconds: a stream with few pictures must not hold back the others.
    '-max_interleave_delta',
    '1',
    'pipe:1',
  ];
}

/** Pictures from a running decoder with {@link outputArgs}. */
async function* picturesOf(
  running: RunningProcess,
  request: DecodeRequest,
): AsyncGenerator<DecodedPicture, void, undefined> {
  const outputs = outputsOf(request);
  for await (const { stream, seconds, bytes } of readNut(running.stdout)) {
    const found = outputs[stream];
    if (found === undefined || bytes.length !== found.width * found.height * 3) continue;
    const { output, width, height } = found;
    yield { output, width, height, seconds, rgb: bytes };
  }
}

export interface FileRequest extends DecodeRequest {
  readonly path: string;
  /** Where to begin, and how much to decode. */
  readonly fromSeconds?: number;
  readonly seconds: number;
  readonly wallMs: number;
}

/** Global options of every decode. */
export const globalArgs = ({ threads, mostPixels }: Decoder['settings']): string[] => [
  '-nostdin',
  '-v',
  'error',
  '-threads',
  String(threads),
  '-filter_threads',
  '1',
  '-filter_complex_threads',
  '1',
  '-max_pixels',
  String(mostPixels),
];

/**
 * Decodes a file. Broken parts are left out, as players do.
 * @throws AppError 422 where not a single picture can be decoded, 504 past the time
 */
export async function* decodeFile(
  decoder: Decoder,
  request: FileRequest,
  signal: AbortSignal,
): AsyncGenerator<DecodedPicture, void, undefined> {
  const { path, fromSeconds, seconds, wallMs } = request;
  const args = [
    ...globalArgs(decoder.settings),
    ...(fromSeconds === undefined ? [] : ['-ss', fromSeconds.toFixed(3)]),
    '-t',
    seconds.toFixed(3),
    ...decoder.inputOptions(path),
    '-an',
    '-sn',
    '-dn',
    ...outputArgs(request),
  ];
  const running = await decoder.start(args, { wallMs }, { file: path, signal });
  let isRead = false;
  try {
    running.stdin.end();
    running.stderr.resume();
    let pictures = 0;
    for await (const picture of picturesOf(running, request)) {
      pictures += 1;
      yield picture;
    }
    isRead = true;
    const ended = await endOf(running);
    signal.throwIfAborted();
    refuse(ended, pictures);
  } finally {
    if (!isRead) void running.stop();
  }
}

function refuse({ reason, message, code }: DecoderEnd, pictures: number): void {
  if (reason === 'wall_time') throw new AppError(504, 'timed_out', 'The video took too long to decode.');
  if (reason !== 'exited') throw invalid(`The video could not be decoded: ${message}`);
  if (pictures === 0)
    throw invalid(
      code === 0
        ? 'The video has no pictures.'
        : 'The video cannot be decoded: the file is broken or incomplete.',
    );
}
