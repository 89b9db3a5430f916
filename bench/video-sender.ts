/** Pushes H.264 to many live sessions; started by `video-live.ts`, which tells the addresses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { h264Of, openPusher } from '#services/video-moderation/fixtures/live.ts';

const rate = Number(process.env['VIDEO_RATE']);
const frames = await h264Of(process.env['VIDEO_SOURCE'] ?? '', rate);

process.once('message', (addresses: string[]) => {
  const push = async (address: string, i: number) => {
    await sleep((i * 1000) / addresses.length);
    await using pusher = await openPusher(address);
    pusher.start('h264', 1280, 720);
    await pusher.send(frames, { fps: rate });
    pusher.end();
    await pusher.closed;
  };
  void Promise.all(addresses.map(push)).then(() => process.disconnect());
});
process.send?.('ready');
