/** Two `bulwark serve video-moderation` on one PostgreSQL: a session is made in one, fed in the other, and seen in both. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { h264Of, listenTo, openPusher } from '#services/video-moderation/fixtures/live.ts';
import { startTogether, whyNot, type Together } from './together.ts';

const skip = await whyNot();
const streams = '/api/videomoderation/streams';
let together: Together;

before(async () => {
  const env = { BULWARK_PORT_VIDEO_MODERATION_GRPC: '0' };
  if (skip === false) together = await startTogether('video-moderation', 2, env);
});
after(async () => {
  if (skip === false) await together[Symbol.asyncDispose]();
});

/** The address at one of the two processes. */
function at(process: number, url: string): string {
  const found = new URL(url);
  found.port = new URL(together.urls[process] ?? '').port;
  return found.href;
}

test(
  'a session runs where its sender connects, and is stopped and followed from either',
  { skip },
  async () => {
    const made = await together.call(0, 'POST', streams, { transport: 'websocket' });
    const listener = await listenTo(at(0, made.websocket_url));
    const address = (process: number) => `${at(process, made.ingest_url)}?token=${made.ingest_token}`;
    await using pusher = await openPusher(address(1));
    pusher.start('h264', 160, 90);
    const sending = pusher.send(await h264Of('testsrc2=s=160x90:r=10:d=30'), { fps: 10 });
    await listener.wait(({ type }) => type === 'frame');
    const other = await openPusher(address(0));
    assert.equal((await other.closed).code, 4409, 'it runs in the other process');
    const stopped = await together.call(0, 'DELETE', `${streams}/${made.stream_id}`);
    assert.equal(stopped.status, 'stopped');
    const summary = await listener.wait(({ type }) => type === 'summary');
    assert.equal(summary.reason, 'deleted');
    assert.equal((await pusher.closed).code, 1000);
    assert.equal((await together.call(1, 'GET', `${streams}/${made.stream_id}`)).status, 'stopped');
    await sending;
  },
);
