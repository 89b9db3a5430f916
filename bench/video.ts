/**
 * Measures the judging of files against decoding alone, by the same ffmpeg with the same limits, in the same run: at one
 * frame a second with everything embedded on, without a policy guard. Goal: at least half of the speed of decoding.
 *
 * `node bench/video.ts [seconds of video]`; `live` and `soak` in place of the seconds measure live sessions, see
 * `video-live.ts` and `video-soak.ts`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceCalls } from '#base/contract/calls.ts';
import type { Caller } from '#identity/caller.ts';
import { openOutbound } from '#base/net/outbound.ts';
import { analyse } from '#services/video-moderation/checks/analyse.ts';
import { Decoder } from '#services/video-moderation/decoding/decoder.ts';
import { presetSettings } from '#services/video-moderation/deployments/settings.ts';
import { Detectors } from '#services/video-moderation/detectors/detectors.ts';
import { ModelProcesses } from '#services/video-moderation/detectors/model-processes.ts';
import { WordReaders } from '#services/video-moderation/detectors/word-readers.ts';

if (process.argv[2] === 'live' || process.argv[2] === 'soak') {
  await (process.argv[2] === 'live' ? import('./video-live.ts') : import('./video-soak.ts'));
  process.exit();
}

const seconds = Number(process.argv[2] ?? 60);
const rounds = 3;

const folder = mkdtempSync(join(tmpdir(), 'bulwark-bench-video-'));
chmodSync(folder, 0o755);
const path = join(folder, 'video.mp4');
// Movement of many kinds, at the bit rate of a stream: 720p, 30 pictures a second.
const bench = `mandelbrot=s=1280x720:r=30:end_scale=0.01:maxiter=200`;
const encoded = '-c:v libx264 -preset veryfast -b:v 3M -g 60 -pix_fmt yuv420p'.split(' ');
const made = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', bench, '-t', String(seconds), ...encoded, path];
execFileSync('ffmpeg', made);
chmodSync(path, 0o644);

const settings = {
  ffmpegPath: 'ffmpeg',
  ffprobePath: 'ffprobe',
  memoryBytes: 1024 ** 3,
  threads: 1,
  mostPixels: 3840 * 2160,
};
const decoder = new Decoder(settings, console.error);
using threads = new ModelProcesses(1);
using readers = new WordReaders();
await using outbound = openOutbound({ environment: 'production', allowPrivateNetwork: [] });
const detectors = new Detectors({ threads, outbound, modelsFolder: undefined, visionModel: undefined });
// Words that are read cannot be judged here, which costs nothing.
const words = {
  calls: createServiceCalls<Caller>(),
  baseUrl: 'http://127.0.0.1:1',
  tokenFor: () => Promise.resolve('none'),
};

async function decodeOnly(): Promise<number> {
  const start = performance.now();
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-threads',
    '1',
    ...decoder.inputOptions(path),
    '-an',
    '-f',
    'null',
    '-',
  ];
  const { code } = await decoder.run('ffmpeg', args, { wallMs: 600_000 }, { file: path });
  if (code !== 0) throw new Error(`ffmpeg ended with status ${code}`);
  return performance.now() - start;
}

async function judge(): Promise<{ ms: number; frames: number }> {
  const start = performance.now();
  const { frames } = await analyse(
    {
      decoder,
      words,
      wordReader: (languages) => readers.for(languages),
      frameDetectors: (of) => detectors.forFrames(of),
      vision: undefined,
    },
    {
      path,
      sizeBytes: statSync(path).size,
      caller: {} as Caller,
      settings: presetSettings(['eng']),
      fps: 1,
      clipSeconds: 4,
      longestSeconds: 3600,
      wallMs: 600_000,
      thumbnails: false,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onFinding: () => undefined,
    },
  );
  return { ms: performance.now() - start, frames: frames.length };
}

try {
  // The model is loaded once for a process.
  await judge();
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const decodeMs = await decodeOnly();
    const { ms, frames } = await judge();
    ratios.push(decodeMs / ms);
    console.log(
      `round ${round}: decode only ${((seconds * 1000) / decodeMs).toFixed(1)} × real time, judged ${((seconds * 1000) / ms).toFixed(1)} × (${frames} frames): ${(decodeMs / ms).toFixed(2)} of its speed; load ${loadavg()[0]?.toFixed(1)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  console.log(
    `median of ${rounds}: ${median.toFixed(2)} of decode-only speed; goal .50: ${median >= 0.5 ? 'met' : 'NOT met'}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
