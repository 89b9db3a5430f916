/** `kill -9` of video moderation while live sessions run: they have failed at the next start, and no decoder is left. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { decodersBelow } from '#services/video-moderation/fixtures/decoders.ts';
import { h264Of, listenTo, openPusher } from '#services/video-moderation/fixtures/live.ts';
import { serve, type Served } from './serve.ts';

const env = { BULWARK_ALLOW_PRIVATE_NETWORK: 'true', BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '2000' };
const streams = '/api/videomoderation/streams';

async function kill(served: Served): Promise<void> {
  const gone = once(served.child, 'exit');
  served.child.kill('SIGKILL');
  await gone;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test(
  'sessions of a process that was killed have failed, with their last events',
  { timeout: 300_000 },
  async () => {
    await using database = await makeTestDatabase();
    const first = await serve('video-moderation', database.settings, env);
    const waiting = await first.call(streams, { transport: 'websocket' });
    const running = await first.call(streams, { transport: 'websocket' });
    const listener = await listenTo(running.websocket_url);
    const pusher = await openPusher(`${running.ingest_url}?token=${running.ingest_token}`);
    pusher.start('h264', 160, 90);
    const sending = pusher.send(await h264Of('testsrc2=s=160x90:r=10:d=20'), { fps: 10 });
    await listener.wait(({ type }) => type === 'frame');
    const decoders = decodersBelow(first.child.pid);
    assert.equal(decoders.length, 1);
    await kill(first);
    await sending;
    const second = await serve('video-moderation', database.settings, env);
    try {
      const until = Date.now() + 60_000;
      const statusOf = async (id: string) =>
        (await second.call(`${streams}/${id}`)) as { status: string; error: string };
      // Another process may share the database, so it takes a while until one counts as gone.
      while ((await statusOf(running.stream_id)).status === 'running' && Date.now() < until) await sleep(500);
      const ended = await statusOf(running.stream_id);
      assert.equal(ended.status, 'failed');
      assert.match(ended.error, /process/);
      assert.equal((await statusOf(waiting.stream_id)).status, 'failed');
      const feed = await (await second.send(`${streams}/${running.stream_id}/feed`)).text();
      assert.match(feed, /event: error\n/);
      assert.match(feed, /"reason":"process_ended"/);
      assert.ok(!decoders.some(isAlive), 'the decoder has ended with its service');
    } finally {
      await kill(second);
    }
  },
);

test(
  'a thousand sessions that wait for their senders cost little, and end as idle',
  { timeout: 300_000 },
  async (t) => {
    await using database = await makeTestDatabase();
    const served = await serve('video-moderation', database.settings, {
      ...env,
      BULWARK_VIDEO_MODERATION_STREAMS_PER_CORE: '1000',
      BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '60',
    });
    try {
      const before = process.memoryUsage.rss();
      for (let i = 0; i < 20; i += 1)
        await Promise.all(Array.from({ length: 50 }, () => served.call(streams, { transport: 'websocket' })));
      const { total } = await served.call(`${streams}?status=running`);
      assert.equal(total, 1000);
      const begun = performance.now();
      const answer = await served.send('/health');
      assert.equal(answer.status, 200);
      t.diagnostic(
        `health in ${Math.round(performance.now() - begun)} ms; our own memory grew by ${Math.round((process.memoryUsage.rss() - before) / 1e6)} MB`,
      );
      for (const until = Date.now() + 150_000; Date.now() < until; await sleep(1000))
        if ((await served.call(`${streams}?status=ended&limit=1`)).total === 1000) break;
      assert.equal((await served.call(`${streams}?status=ended&limit=1`)).total, 1000);
    } finally {
      await kill(served);
    }
  },
);
