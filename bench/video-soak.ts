/**
 * Live streams for a long time: does memory grow, and is a decoder left behind? Each stream is 720p, pushed as H.264 to a
 * service of its own on an embedded database on disk, with the policy guard beside it. Counted are the service, its
 * helpers and its decoders.
 *
 * `node bench/video.ts soak [minutes] [streams] [pictures a second]`, by default 60 minutes, 4 streams and 15 pictures.
 * Goal: less than 5 % growth after the first sixth, and no decoder at the end.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { decodersBelow } from '#services/video-moderation/fixtures/decoders.ts';
import { h264Of, listenTo, openPusher } from '#services/video-moderation/fixtures/live.ts';
import { serve } from '../test/faults/serve.ts';

const minutes = Number(process.argv[3] ?? 60);
const count = Number(process.argv[4] ?? 4);
const rate = Number(process.argv[5] ?? 15);
const looks = 24;
const streamsPath = '/api/videomoderation/streams';

const megabytesOf = (pid: number): number => {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};
const megabytes = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + megabytesOf(pid), 0);

/** Image models and the reading of words. */
const helpersOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const [, own] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return Number(own) === parent && /(model|words)-process/.test(command);
      } catch {
        return false;
      }
    })
    .map(Number);

await using database = await makeTestDatabase();
const served = await serve(['video-moderation', 'policy-guard'], database.settings, {
  BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: String(count),
  // As the launcher and the container image set it.
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
});
const pid = served.child.pid ?? 0;
// Half a minute of pictures, again and again: the session’s time goes on.
const frames = await h264Of(`testsrc2=s=1280x720:r=${rate}:d=30`, rate);
const endMs = performance.now() + minutes * 60_000;

async function stream(): Promise<number> {
  const made = await served.call(streamsPath, { transport: 'websocket' });
  const listener = await listenTo(made.websocket_url);
  await using pusher = await openPusher(`${made.ingest_url}?token=${made.ingest_token}`);
  pusher.start('h264', 1280, 720);
  for (let round = 0; performance.now() < endMs; round += 1) {
    const left = Math.ceil(((endMs - performance.now()) / 1000) * rate);
    await pusher.send(frames.slice(0, left), { fps: rate, startMs: round * 30_000 });
    listener.events.length = 0;
  }
  pusher.end();
  const summary = await listener.wait(({ type }) => type === 'summary');
  return summary.frames_dropped ?? 0;
}

const running = Promise.all(Array.from({ length: count }, stream));
const seen: number[] = [];
for (let look = 1; look < looks; look += 1) {
  await sleep((minutes * 60_000) / looks);
  const decoders = decodersBelow(pid);
  const parts = [megabytesOf(pid), megabytes(helpersOf(pid)), megabytes(decoders)] as const;
  seen.push(parts[0] + parts[1] + parts[2]);
  const [own, helpers, theirs] = parts.map((part) => part.toFixed(0));
  console.log(
    `${((look * minutes) / looks).toFixed(1)} min: service ${own} MB, helpers ${helpers} MB, ${decoders.length} decoders ${theirs} MB`,
  );
}
const dropped = await running;
await sleep(2000);
const early = seen.slice(looks / 6, looks / 3);
const late = seen.slice(-looks / 6);
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const growth = (100 * (mean(late) - mean(early))) / mean(early);
console.log(
  `${count} streams for ${minutes} minutes: memory grew by ${growth.toFixed(1)} % (goal < 5), ${dropped.join(', ')} frames dropped, ${decodersBelow(pid).length} decoders left`,
);
served.child.kill('SIGTERM');
await once(served.child, 'exit');
