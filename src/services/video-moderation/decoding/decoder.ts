/**
 * ffmpeg and ffprobe, confined: a file or a pipe is all that they see. No network, formats and protocols by list, no
 * environment, limits on memory, time, pictures and output, in a sandbox where this machine can make one.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { readEnv } from '#base/config/read-env.ts';
import { AppError } from '#base/errors.ts';
import { findSandbox, launcherPath } from '#base/processes/sandbox.ts';
import type { EndReason } from '#base/processes/process-limits.ts';
import { startProcess, type ProcessOptions, type RunningProcess } from '#base/processes/start-process.ts';

export interface DecoderSettings {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly mostPixels: number;
}

export interface DecoderState {
  /** Undefined where it is missing. */
  readonly version: string | undefined;
  /** Undefined where it runs without one. */
  readonly sandbox: string | undefined;
  readonly message: string;
}

/** Containers that are opened, by the names of ffmpeg’s demuxers. Playlists and lists of files are none. */
const formats = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm';
const mostOpenFiles = 64;
const mostProcesses = 96;

const installLine = 'apt-get install ffmpeg';

const missing = (program: string) =>
  new AppError(
    503,
    'decoder_missing',
    `Videos cannot be decoded: the program ${program} is not installed. Install it (${installLine}), or name it in video_moderation.ffmpeg_path.`,
  );

function resolved(program: string): string | undefined {
  const candidates = isAbsolute(program)
    ? [program]
    : [...launcherPath.split(delimiter), ...(readEnv()['PATH'] ?? '').split(delimiter)].map((folder) =>
        join(folder, program),
      );
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return isAbsolute(path);
    } catch {
      return false;
    }
  });
}

export interface Limits {
  readonly wallMs: number;
  readonly outputBytes?: number;
  /** See {@link ProcessLimits.watchEveryMs}. */
  readonly watchEveryMs?: number;
}

export interface DecoderEnd {
  /** Null where it was ended. */
  readonly code: number | null;
  readonly reason: EndReason;
  readonly message: string;
}

/**
 * How it ended. After a success it does not wait until all traces of its processes are gone, which is seen to in the
 * background: that can take seconds where init is slow to reap.
 */
export async function endOf(running: RunningProcess): Promise<DecoderEnd> {
  const { code } = await running.exited;
  return code === 0 ? { code, reason: 'exited', message: 'The program ended with status 0.' } : running.ended;
}

const largestOutputBytes = 32 * 1024 * 1024;

export class Decoder {
  readonly settings: DecoderSettings;
  readonly #onWarning: (message: string) => void;

  constructor(settings: DecoderSettings, onWarning: (message: string) => void) {
    this.settings = settings;
    this.#onWarning = onWarning;
  }

  /** What is installed; runs ffmpeg once. */
  async state(): Promise<DecoderState> {
    try {
      this.assertInstalled();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { version: undefined, sandbox: undefined, message: error.detail };
    }
    const found = await findSandbox();
    const { stdout } = await this.run('ffmpeg', ['-version'], { wallMs: 10_000 });
    const version = /version (\S+)/.exec(stdout.toString('utf8'))?.[1] ?? 'unknown';
    const sandbox = found.kind === 'none' ? undefined : found.kind;
    return {
      version,
      sandbox,
      message: `ffmpeg ${version}, ${sandbox === undefined ? 'without a sandbox: this machine can make none' : `in a sandbox (${sandbox})`}.`,
    };
  }

  /** @throws AppError 503 with what to install */
  assertInstalled(): void {
    const { ffmpegPath, ffprobePath } = this.settings;
    for (const program of [ffmpegPath, ffprobePath])
      if (resolved(program) === undefined) throw missing(program);
  }

  /**
   * Options that must come before each input.
   * @param pathOrPipe a file of ours, or `pipe:0`
   */
  inputOptions(pathOrPipe: string, format?: string): string[] {
    const isPipe = pathOrPipe.startsWith('pipe:');
    return [
      ...(format === undefined ? ['-format_whitelist', formats] : ['-f', format]),
      '-protocol_whitelist',
      isPipe ? 'pipe' : 'file',
      '-i',
      isPipe ? pathOrPipe : `file:${pathOrPipe}`,
    ];
  }

  /** Runs to the end. @throws AppError 503 where it is missing; the signal’s reason */
  async run(
    program: 'ffmpeg' | 'ffprobe',
    args: readonly string[],
    limits: Limits,
    more: {
      readonly file?: string | undefined;
      readonly input?: Uint8Array;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<DecoderEnd & { readonly stdout: Buffer }> {
    const { input, ...rest } = more;
    const options = this.#options(program, args, { outputBytes: largestOutputBytes, ...limits }, rest);
    const running = await startProcess(options);
    running.stdin.end(input);
    running.stderr.resume();
    const chunks: Buffer[] = [];
    for await (const chunk of running.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
    return { ...(await endOf(running)), stdout: Buffer.concat(chunks) };
  }

  /** Starts it; the caller reads its output and stops it. @throws as {@link run} */
  start(
    args: readonly string[],
    limits: Partial<Limits>,
    more: {
      readonly file?: string | undefined;
      readonly signal?: AbortSignal | undefined;
      /** See {@link ProcessOptions.pipes}. */
      readonly pipes?: number;
    } = {},
  ): Promise<RunningProcess> {
    const { pipes = 0, ...rest } = more;
    return startProcess({ ...this.#options('ffmpeg', args, limits, rest), pipes });
  }

  #options(
    program: 'ffmpeg' | 'ffprobe',
    args: readonly string[],
    limits: Partial<Limits>,
    { file, signal }: { readonly file?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): ProcessOptions {
    const { ffmpegPath, ffprobePath, memoryBytes } = this.settings;
    const name = program === 'ffmpeg' ? ffmpegPath : ffprobePath;
    const command = resolved(name);
    if (command === undefined) throw missing(name);
    return {
      command,
      args,
      env: { LC_ALL: 'C' },
      limits: {
        memoryBytes,
        processes: mostProcesses,
        openFiles: mostOpenFiles,
        fileBytes: 1024,
        ...limits,
        ...(limits.wallMs !== undefined && { cpuMs: limits.wallMs * this.settings.threads + 5000 }),
      },
      grace: { closeInputMs: 0, terminateMs: 200 },
      sandbox: {
        policy: 'preferred',
        network: false,
        mounts: file === undefined ? [] : [{ source: file }],
        tmpBytes: 1024 * 1024,
        onWarning: this.#onWarning,
      },
      ...(signal !== undefined && { signal }),
    };
  }
}
