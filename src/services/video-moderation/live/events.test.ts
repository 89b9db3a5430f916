import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver } from '../fixtures/callback-receiver.ts';
import { decodersBelow } from '../fixtures/decoders.ts';
import {
  endedStream,
  h264Of,
  listenHere,
  loadModels,
  openPusher,
  openStream,
  picturesOf,
  type Event,
} from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({
  BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '12',
  BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '4',
});
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const port = await listenHere(service.app);
const as = tokens.admin;
await loadModels(call, as);
const open = (body: object) => openStream({ call, as, port }, body);
const end = (streamId: string) => call('DELETE', `/api/videomoderation/streams/${streamId}`, { as });

test('a callback gets every event, signed, in order, also after it has failed; another only what is flagged', async () => {
  await using all = await startReceiver();
  await using flagged = await startReceiver();
  all.refuse(1);
  const first = await open({ transport: 'websocket', callback_url: all.url, sampling: { clip_seconds: 1 } });
  const second = await open({
    transport: 'websocket',
    callback_url: flagged.url,
    callback_events: 'flagged',
    sampling: { clip_seconds: 1 },
  });
  assert.equal(first.created.callback_secret, second.created.callback_secret, 'one secret for each key');
  all.secret = first.created.callback_secret;
  flagged.secret = first.created.callback_secret;
  const flashes =
    "color=black:s=160x90:r=20:d=3,geq=lum='if(between(N,20,40)*mod(N,2),235,16)':cb=128:cr=128";
  const frames = await h264Of(flashes);
  const push = async ({ ingestUrl }: typeof first) => {
    await using pusher = await openPusher(ingestUrl ?? '');
    pusher.start('h264', 160, 90);
    await pusher.send(frames, { fps: 20 });
    pusher.end();
    await pusher.closed;
  };
  await Promise.all([push(first), push(second)]);
  const summary = await first.listener.wait(({ type }) => type === 'summary');
  await second.listener.wait(({ type }) => type === 'summary');
  const isDone = (taken: readonly Event[]) => taken.at(-1)?.type === 'summary';
  for (
    const until = Date.now() + 60_000;
    Date.now() < until && !(isDone(all.taken) && isDone(flagged.taken));
  )
    await sleep(200);
  assert.equal(all.refused, 1);
  assert.equal(all.wrong + flagged.wrong, 0, 'every attempt is signed');
  assert.deepEqual(
    all.taken.map(({ seq }) => seq),
    Array.from({ length: summary.seq }, (_, i) => i + 1),
  );
  assert.deepEqual(all.taken, first.listener.events, 'the same events as on the socket');
  assert.ok(flagged.taken.length >= 2);
  assert.ok(flagged.taken.every(({ type, flag }) => flag || type === 'summary'));
});

test('a callback whose server dies in the middle of a session gets the rest, in order, once it is back', async () => {
  await using receiver = await startReceiver();
  const { created, listener, ingestUrl } = await open({
    transport: 'websocket',
    callback_url: receiver.url,
    sampling: { clip_seconds: 1 },
  });
  receiver.secret = created.callback_secret;
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 160, 90);
  const frames = await picturesOf('testsrc2=s=160x90:r=5:d=4', 'mjpeg');
  await pusher.send(frames.slice(0, 10), { fps: 5 });
  for (const until = Date.now() + 30_000; Date.now() < until && receiver.taken.length === 0;) await sleep(50);
  await receiver.stop();
  await pusher.send(frames.slice(10), { fps: 5, startMs: 2000 });
  pusher.end();
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.ok(receiver.taken.length < summary.seq, 'some events came while it was dead');
  await receiver.restart();
  for (const until = Date.now() + 60_000; Date.now() < until && receiver.taken.length < summary.seq;)
    await sleep(200);
  assert.deepEqual(receiver.taken, listener.events, 'every event once, in the order of the socket');
  assert.equal(receiver.wrong, 0);
});

test('a decoder that is killed is started again: an error event, then frames again, and nothing is left behind', async () => {
  const { created, listener, ingestUrl } = await open({ transport: 'websocket', sampling: { fps: 5 } });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('h264', 160, 90);
  const sending = pusher.send(await h264Of('testsrc2=s=160x90:r=10:d=20', 10), { fps: 10 });
  await listener.wait(({ type }) => type === 'frame');
  const [decoder] = decodersBelow();
  assert.ok(decoder !== undefined, 'a decoder runs');
  process.kill(decoder, 'SIGKILL');
  const error = await listener.wait(({ type }) => type === 'error');
  assert.deepEqual([error.code, error.retryable], ['decode_failed', true]);
  // Frames that were decoded before are judged meanwhile.
  await listener.wait(({ type, timestamp_seconds: at }) => type === 'frame' && at > error.timestamp_seconds);
  await end(created.stream_id);
  await sending;
  for (const until = Date.now() + 20_000; Date.now() < until && decodersBelow().length > 0;) await sleep(200);
  assert.deepEqual(decodersBelow(), []);
});

test('what cannot be decoded ends the session as failed', async () => {
  const { created, listener, ingestUrl } = await open({ transport: 'websocket' });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 160, 90);
  const noise = Array.from({ length: 100 }, (_, i) =>
    Buffer.concat([Buffer.of(0xff, 0xd8), Buffer.alloc(400, i)]),
  );
  await pusher.send([...noise, ...noise, ...noise], { fps: 10 });
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'decode_failed');
  const body = await endedStream(call, created.stream_id, as);
  assert.equal(body.status, 'failed');
  assert.ok(body.error.length > 0);
});

test('sessions over the limit of a key: 429 with Retry-After; one that nobody feeds ends as idle', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, () =>
      call('POST', '/api/videomoderation/streams', { as, body: { transport: 'websocket' } }),
    ),
  );
  const refused = made.filter(({ status }) => status === 429);
  assert.equal(refused.length, 2, 'four at a time, also of requests at once');
  assert.ok(Number(refused[0]?.headers['retry-after']) > 0);
  const [first, ...others] = made
    .filter(({ status }) => status === 200)
    .map(({ body }) => body.stream_id as string);
  for (const each of others) await end(each);
  const path = `/api/videomoderation/streams/${first}`;
  const states: string[] = [];
  for (const until = Date.now() + 40_000; Date.now() < until; await sleep(500)) {
    states.push((await call('GET', path, { as })).body.status);
    if (states.at(-1) !== 'running') break;
  }
  assert.equal(states.at(-1), 'ended');
  const feed = await call('GET', `${path}/feed`, { as });
  assert.match(String(feed.body), /event: summary\n.*"reason":"idle"/s);
});

test('server-sent events: the same as on the socket, also after a number', async () => {
  const { created, listener, ingestUrl } = await open({ transport: 'websocket', sampling: { fps: 2 } });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 160, 90);
  await pusher.send(await picturesOf('testsrc2=s=160x90:r=4:d=2', 'mjpeg'), { fps: 4 });
  pusher.end();
  await listener.wait(({ type }) => type === 'summary');
  const path = `/api/videomoderation/streams/${created.stream_id}/feed`;
  const read = (text: unknown) =>
    [...String(text).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event);
  assert.deepEqual(read((await call('GET', path, { as })).body), listener.events);
  const resumed = await call('GET', path, { as, headers: { 'last-event-id': '2' } });
  assert.deepEqual(read(resumed.body), listener.events.slice(2));
});

test('more frames than models can judge are dropped and counted, and every flag still comes', async () => {
  const flashes = "color=black:s=160x90:r=30:d=5,geq=lum='if(mod(N,2),235,16)':cb=128:cr=128";
  const frames = await h264Of(flashes);
  const watch = async () => {
    const { created, listener, ingestUrl } = await open({
      transport: 'websocket',
      sampling: { fps: 30, clip_seconds: 1 },
    });
    await using pusher = await openPusher(ingestUrl ?? '');
    pusher.start('h264', 160, 90);
    await pusher.send(frames, { fps: 30 });
    pusher.end();
    const summary = await listener.wait(({ type }) => type === 'summary');
    const clips = listener.events.filter(({ type }) => type === 'clip');
    assert.ok(
      clips.length >= 4 && clips.every(({ flag }) => flag),
      JSON.stringify(clips.map(({ flag }) => flag)),
    );
    const stored = await endedStream(call, created.stream_id, as);
    assert.equal(stored.frames_dropped, summary.frames_dropped);
    return summary.frames_dropped ?? 0;
  };
  const dropped = await Promise.all([watch(), watch(), watch()]);
  assert.ok(
    dropped.some((count) => count > 0),
    `${dropped.join(', ')} dropped`,
  );
});

test('the summary and the end of its session are one: while one cannot be saved, the other is not there', async () => {
  const { db } = service;
  await db.query(`create function video_moderation.refuse_end() returns trigger language plpgsql as $$
    begin raise exception 'the end cannot be saved'; end $$`);
  const { created, listener, ingestUrl } = await open({ transport: 'websocket' });
  const id = created.stream_id as string;
  await db.query(`create trigger refuse_end before update on video_moderation.streams for each row
    when (new.stream_id = '${id}' and new.status <> 'running') execute function video_moderation.refuse_end()`);
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 160, 90);
  await pusher.send(await picturesOf('testsrc2=s=160x90:r=4:d=2', 'mjpeg'), { fps: 4 });
  const ending = end(id);
  await listener.wait(({ type }) => type === 'clip');
  await sleep(1500);
  const logged = async () =>
    (
      await db.query<{ data: string }>(
        `select data::text as data from events.events where topic = $1 order by seq`,
        [`video:${id}`],
      )
    ).map(({ data }) => (JSON.parse(data) as Event).type);
  assert.ok(!(await logged()).includes('summary'), 'no summary without an end');
  const path = `/api/videomoderation/streams/${id}`;
  assert.equal((await call('GET', path, { as })).body.status, 'running');
  await db.query('drop trigger refuse_end on video_moderation.streams');
  await db.query('drop function video_moderation.refuse_end');
  await listener.wait(({ type }) => type === 'summary');
  assert.equal(
    (await call('GET', path, { as })).body.status,
    'stopped',
    'whoever sees the summary sees the end',
  );
  assert.equal((await ending).body.status, 'stopped');
  assert.equal((await logged()).filter((type) => type === 'summary').length, 1);
});
