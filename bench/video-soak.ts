/**
 * Live streams for a long time: does memory grow, and is a decoder left behind? Each stream is 720p, pushed as H.264; the
 * memory is that of the process and of everything below it.
 *
 * `node bench/video.ts soak [minutes] [streams] [pictures a second]`, by default 60 minutes, 4 streams and 15 pictures. Goal: less than 5 % growth after the
 * first sixth, and no decoder at the end.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodersBelow } from '#services/video-moderation/fixtures/decoders.ts';
import { h264Of, listenHere, openPusher, openStream } from '#services/video-moderation/fixtures/live.ts';
import { openTestService } from '#services/video-moderation/fixtures/service.ts';

const minutes = Number(process.argv[3] ?? 60);
const count = Number(process.argv[4] ?? 4);
const rate = Number(process.argv[5] ?? 15);
const looks = 24;

const megabytesOf = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
};

await using service = await openTestService({ BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: String(count) });
const port = await listenHere(service.app);
// Half a minute of pictures, again and again: the session’s time goes on.
const frames = await h264Of(`testsrc2=s=1280x720:r=${rate}:d=30`, rate);
const endMs = performance.now() + minutes * 60_000;

async function stream(): Promise<number> {
  const { listener, ingestUrl } = await openStream(
    { call: service.call, as: service.tokens.admin, port },
    { transport: 'websocket' },
  );
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('h264', 1280, 720);
  for (let round = 0; performance.now() < endMs; round += 1) {
    const left = Math.ceil(((endMs - performance.now()) / 1000) * rate);
    await pusher.send(frames.slice(0, left), { fps: rate, startMs: round * 30_000 });
    // What was heard is not our growth.
    listener.events.length = 0;
  }
  pusher.end();
  const summary = await listener.wait(({ type }) => type === 'summary');
  return summary.frames_dropped ?? 0;
}

const running = Promise.all(Array.from({ length: count }, stream));
const seen: number[] = [];
for (let look = 1; look <= looks; look += 1) {
  await sleep((minutes * 60_000) / looks - 10);
  globalThis.gc?.();
  const decoders = decodersBelow();
  const own = megabytesOf(process.pid);
  const theirs = decoders.reduce((sum, pid) => sum + megabytesOf(pid), 0);
  seen.push(own + theirs);
  console.log(
    `${((look * minutes) / looks).toFixed(1)} min: ${own.toFixed(0)} MB, ${decoders.length} decoders ${theirs.toFixed(0)} MB`,
  );
  if (look === looks - 1) break;
}
const dropped = await running;
await sleep(2000);
const early = seen.slice(looks / 6, looks / 3);
const late = seen.slice(-looks / 6);
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const growth = (100 * (mean(late) - mean(early))) / mean(early);
console.log(
  `${count} streams for ${minutes} minutes: memory grew by ${growth.toFixed(1)} % (goal < 5), ${dropped.join(', ')} frames dropped, ${decodersBelow().length} decoders left`,
);
