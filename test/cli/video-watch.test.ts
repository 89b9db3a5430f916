import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { h264Of, listenHere, openPusher, openStream } from '#services/video-moderation/fixtures/live.ts';
import { openTestService } from '#services/video-moderation/fixtures/service.ts';
import { addTestKey } from '#identity/test-people.ts';
import { lineOf, transportOf, watchStream, type LiveEvent } from '../../src/cli/video/watch.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const port = await listenHere(service.app);
// oxlint-disable-next-line node/no-process-env -- the command line takes its key from there
const { env } = process;
env['BULWARK_API_KEY'] = await addTestKey(service.db, 'admin');
after(() => delete env['BULWARK_API_KEY']);

test('the events of a session as lines, to its summary; a session that is not there says so', async () => {
  const { created, ingestUrl } = await openStream(
    { call: service.call, as: service.tokens.admin, port },
    { transport: 'websocket', sampling: { clip_seconds: 1 } },
  );
  const url = `http://127.0.0.1:${port}`;
  const events: LiveEvent[] = [];
  const never = new AbortController().signal;
  const watching = watchStream(created.stream_id, { url }, (event) => events.push(event), never);
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('h264', 160, 90);
  const flashes = "color=black:s=160x90:r=20:d=2,geq=lum='if(mod(N,2),235,16)':cb=128:cr=128";
  await pusher.send(await h264Of(flashes), { fps: 20 });
  pusher.end();
  const { summary } = await watching;
  assert.equal(summary?.flag, true);
  assert.ok(events.map(lineOf).some((line) => line?.includes('! clip  Scene_Action_Risk 1.00')));
  await assert.rejects(
    watchStream('vs_unknown', { url }, () => undefined, never),
    /not found/,
  );
});

test('the kind of a stream follows from its address', () => {
  assert.equal(transportOf('https://example.com/a/live.m3u8?x=1'), 'hls');
  assert.equal(transportOf('https://example.com/live.mpd'), 'dash');
  assert.equal(transportOf('rtmps://example.com/app/name'), 'rtmps');
  assert.throws(() => transportOf('ftp://example.com/a'), /must begin with/);
});
