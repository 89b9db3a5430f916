/** A decoder that runs as long as its stream: coded pictures in, pictures of each output out, in bounded memory. */
import { AppError } from '#base/errors.ts';
import { firstPipe, type RunningProcess } from '#base/processes/start-process.ts';
import {
  filterGraph,
  flowOutput,
  globalArgs,
  pictureMuxer,
  sampleOutput,
  stepOf,
  type DecodedPicture,
  type Output,
} from '../../decoding/decode.ts';
import type { Decoder } from '../../decoding/decoder.ts';
import { readNut } from '../../decoding/nut.ts';

/** What to make of each picture. */
export interface LiveOutputs {
  readonly fps: number;
  readonly withFlow: boolean;
  /** Undefined: no large pictures. */
  readonly largeEverySeconds: number | undefined;
}

/** The sizes of large pictures: streams of any proportions, which may change, fit into it. */
const largeSide = 640;
/** How often a decoder’s use of memory is looked at. */
const watchEveryMs = 500;

const outputsOf = ({ fps, withFlow, largeEverySeconds }: LiveOutputs): Output[] => [
  ...(withFlow ? [flowOutput] : []),
  sampleOutput(fps),
  ...(largeEverySeconds === undefined
    ? []
    : [
        {
          output: 'large' as const,
          width: largeSide,
          height: largeSide,
          stepSeconds: stepOf(largeEverySeconds),
          scaler: 'bicubic',
          isPadded: true,
        },
      ]),
];

/** Containers that arrive by a pipe; `matroska` is what we write ourselves. */
export type PipedFormat = 'matroska' | 'mpegts' | 'mov';

export class LiveDecoder {
  readonly #running: RunningProcess;
  readonly #outputs: readonly Output[];
  #isStopped = false;

  /** For {@link startLiveDecoder}. */
  constructor(running: RunningProcess, outputs: readonly Output[]) {
    this.#running = running;
    this.#outputs = outputs;
    running.stderr.resume();
  }

  /** Its process; for tests of what happens when it dies. */
  get pid(): number {
    return this.#running.pid;
  }

  /** Bytes that it has not taken yet. */
  get waitingBytes(): number {
    return this.#running.stdin.writableLength;
  }

  /** @returns false where it has not taken what came before */
  write(bytes: Uint8Array): boolean {
    return this.#isStopped || this.#running.stdin.write(bytes);
  }

  /** Calls back once it takes more. */
  onceReady(listener: () => void): void {
    this.#running.stdin.once('drain', listener);
  }

  /** No more comes: what it has is decoded to its end. */
  end(): void {
    this.#running.stdin.end();
  }

  /**
   * Hands each picture to the listener of its output, until the decoder ends.
   * @returns whether it has ended by itself after all its input
   */
  async pictures(take: (picture: DecodedPicture) => void): Promise<boolean> {
    const sources = [this.#running.stdout, ...this.#running.pipes];
    const read = async ({ output, width, height }: Output, i: number) => {
      const source = sources[i];
      if (source === undefined) return;
      for await (const { seconds, bytes } of readNut(source))
        if (bytes.length === width * height * 3) take({ output, width, height, seconds, rgb: bytes });
    };
    await Promise.all(this.#outputs.map(read));
    const { code } = await this.#running.exited;
    return code === 0;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running.stop();
  }
}

/** @throws AppError 503 where ffmpeg is missing */
export async function startLiveDecoder(
  decoder: Decoder,
  format: PipedFormat,
  wanted: LiveOutputs,
): Promise<LiveDecoder> {
  const outputs = outputsOf(wanted);
  const args = [
    ...globalArgs(decoder.settings),
    // A picture is wanted as soon as it is there: nothing is read ahead to guess the format.
    ...(format === 'matroska'
      ? ['-probesize', '32', '-analyzeduration', '0']
      : ['-analyzeduration', '500000']),
    ...decoder.inputOptions('pipe:0', format),
    '-an',
    '-sn',
    '-dn',
    '-filter_complex',
    filterGraph(outputs),
    ...outputs.flatMap((_, i) => [
      '-map',
      `[o${i}]`,
      ...pictureMuxer,
      `pipe:${i === 0 ? 1 : firstPipe + i - 1}`,
    ]),
  ];
  const running = await decoder.start(args, { watchEveryMs }, { pipes: outputs.length - 1 });
  if (running.pipes.length !== outputs.length - 1)
    throw new AppError(503, 'decoder_missing', 'The decoder could not be started with its outputs.');
  return new LiveDecoder(running, outputs);
}
