/**
 * Measures live sessions: how long after a frame’s last byte its event is there (WebSocket, RTMP, HLS, WebRTC from a
 * Chromium), and how many streams of 720p30 run at once without dropped frames. What is sent was encoded before, but for
 * WebRTC; senders are processes of their own and take their share of the machine.
 *
 * `node bench/video.ts live [seconds for each measurement] [streams …]`, by default 20 s and 8 and 16 streams.
 *
 * Goals: push p50 ≤ 150 ms, RTMP p95 ≤ 1 s, HLS within a segment + 1.5 s, WebRTC p95 ≤ .5 s, 8 streams without drops, 16
 * with every flag.
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  h264Of,
  listenHere,
  onPort,
  openPusher,
  openStream,
  type Event,
} from '#services/video-moderation/fixtures/live.ts';
import { openTestService } from '#services/video-moderation/fixtures/service.ts';
import { openChromium, openWindow } from '../test/e2e/browser.ts';
import { publish } from '../test/e2e/whip-page.ts';

const seconds = Number(process.argv[3] ?? 20);
const counts = process.argv.length > 4 ? process.argv.slice(4).map(Number) : [8, 16];
const segmentSeconds = 2;
const rate = 30;

await using service = await openTestService({
  BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '1000',
  BULWARK_VIDEO_MODERATION_STREAMS_PER_CORE: '1000',
  BULWARK_VIDEO_MODERATION_RTMP_PORT: '0',
});
const port = await listenHere(service.app);
const open = (body: object) => openStream({ call: service.call, as: service.tokens.admin, port }, body);

/** Movement of many kinds in 720p, with a burst of flashes in the middle. */
const picture = (length: number, from = length / 2) =>
  `testsrc2=s=1280x720:r=${rate}:d=${length},negate=enable='between(t,${from},${from + 1.5})*mod(n,2)'`;

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

function told(name: string, events: readonly Event[], goal: string): void {
  const latencies = events.filter(({ type }) => type === 'frame').map(({ latency_ms: ms }) => ms);
  const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)];
  console.log(
    `${name}: ${latencies.length} frames, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; goal ${goal}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function push(frames: readonly Buffer[], fps: number): Promise<readonly Event[]> {
  const { listener, ingestUrl } = await open({ transport: 'websocket', sampling: { fps } });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('h264', 1280, 720);
  await pusher.send(frames, { fps: rate });
  pusher.end();
  await listener.wait(({ type }) => type === 'summary', 120_000);
  return listener.events;
}

const folder = await mkdtemp(join(tmpdir(), 'bulwark-bench-live-'));
const encodedFile = join(folder, 'video.mp4');
const encoding = `-c:v libx264 -preset ultrafast -tune zerolatency -g ${rate * segmentSeconds} -pix_fmt yuv420p`;
execFileSync('ffmpeg', [
  '-nostdin',
  '-v',
  'error',
  '-f',
  'lavfi',
  '-i',
  picture(seconds),
  ...encoding.split(' '),
  encodedFile,
]);

/** ffmpeg sends what is encoded already, in real time; answers when it has ended. */
const send = (...output: readonly string[]) =>
  new Promise<number | null>((resolve) => {
    const args = ['-nostdin', '-v', 'error', '-re', '-i', encodedFile, '-c', 'copy', ...output];
    spawn('ffmpeg', args, { stdio: 'ignore' }).once('exit', resolve);
  });

async function rtmp(): Promise<readonly Event[]> {
  const { created, listener } = await open({ transport: 'rtmp', sampling: { fps: 2 } });
  await send('-f', 'flv', `${created.ingest_url}?token=${created.ingest_token}`);
  await listener.wait(({ type }) => type === 'summary', 60_000);
  return listener.events;
}

async function hls(): Promise<readonly Event[]> {
  const answer = (url: string) => readFile(join(folder, url.replaceAll('..', ''))).catch(() => undefined);
  const server = createServer((request, response) => {
    void answer(request.url ?? '/').then((content) =>
      response.writeHead(content === undefined ? 404 : 200).end(content),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/live.m3u8`;
  try {
    const sending = send('-f', 'hls', '-hls_time', String(segmentSeconds), join(folder, 'live.m3u8'));
    const { listener } = await open({ transport: 'hls', source_url: address, sampling: { fps: 2 } });
    await sending;
    await listener.wait(({ type }) => type === 'summary', 60_000);
    return listener.events;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** From a page of Chromium, which encodes: its share of the machine is not ours. */
async function webrtc(): Promise<readonly Event[]> {
  const browser = await openChromium();
  try {
    const page = await (await openWindow(browser)).newPage();
    await page.goto(`http://127.0.0.1:${port}/health`);
    const { created, listener } = await open({ transport: 'webrtc', sampling: { fps: 2 } });
    const url = onPort(created.ingest_url, port);
    const { status } = await publish(page, url, created.ingest_token, 'video/VP8');
    if (status !== 201) throw new Error(`WHIP was answered with ${status}.`);
    await sleep(seconds * 1000);
    await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${created.ingest_token}` } });
    await listener.wait(({ type }) => type === 'summary', 60_000);
    return listener.events;
  } finally {
    await browser.close();
  }
}

/** A process that pushes the same frames to each address, the streams spread over a second as those of strangers are. */
async function many(count: number): Promise<void> {
  const streams = await Promise.all(
    Array.from({ length: count }, () => open({ transport: 'websocket', sampling: { fps: 1 } })),
  );
  const sender = fork(join(import.meta.dirname, 'video-sender.ts'), {
    env: { ...process.env, VIDEO_SOURCE: picture(seconds), VIDEO_RATE: String(rate) },
  });
  await once(sender, 'message');
  const usage = process.cpuUsage();
  const begun = performance.now();
  sender.send(streams.map(({ ingestUrl }) => ingestUrl));
  const all = await Promise.all(
    streams.map(async ({ listener }) => {
      await listener.wait(({ type }) => type === 'summary', 240_000);
      return listener.events;
    }),
  );
  const { user, system } = process.cpuUsage(usage);
  const wallMs = performance.now() - begun;
  const summaries = all.map((events) => events.at(-1));
  const dropped = summaries.reduce((sum, each) => sum + (each?.frames_dropped ?? 0), 0);
  const judged = summaries.reduce((sum, each) => sum + (each?.frames_analyzed ?? 0), 0);
  const flagged = summaries.filter((each) => each?.categories['Scene_Action_Risk'] === true).length;
  const late = summaries.filter(
    (each) => each?.notes?.some(({ code }) => code === 'words_not_read') === true,
  );
  console.log(
    `${count} streams of 720p30: ${judged} frames judged, ${dropped} dropped, ${flagged} of ${count} flagged, words left out in ${late.length}; our process took ${((user + system) / 10 / wallMs).toFixed(0)} % of a core; ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  told('  latency', all.flat(), '8 streams without drops');
}

const frames = await h264Of(picture(seconds), rate);
// Models are loaded once for a process.
await push(frames.slice(0, 3 * rate), 1);
told('push of H.264, 720p30', await push(frames, 5), 'p50 ≤ 150 ms');
told('RTMP', await rtmp(), 'p95 ≤ 1000 ms');
told(`HLS, from the arrival of a segment of ${segmentSeconds} s`, await hls(), 'p95 ≤ 1500 ms');
told('WebRTC, VP8 of a Chromium', await webrtc(), 'p95 ≤ 500 ms');
for (const count of counts) await many(count);
await rm(folder, { recursive: true, force: true });
