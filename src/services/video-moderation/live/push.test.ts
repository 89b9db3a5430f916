import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestKey } from '#identity/test-people.ts';
import { categories } from '../contract/names.ts';
import {
  endedStream,
  h264Of,
  listenHere,
  listenTo,
  loadModels,
  onPort,
  openPusher,
  openStream,
  picturesOf,
  type Event,
} from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({
  BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '8',
  BULWARK_VIDEO_MODERATION_FRAME_BYTES: '2000000',
});
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const port = await listenHere(service.app);
const as = tokens.admin;
await loadModels(call, as);
const open = (body: object) => openStream({ call, as, port }, body);

const ofType = (events: readonly Event[], type: string) => events.filter((each) => each.type === type);

test('JPEG over a WebSocket: a frame event for each second, clips, a summary with coverage, all in order', async () => {
  const { created, listener, ingestUrl } = await open({
    transport: 'websocket',
    sampling: { clip_seconds: 2 },
  });
  assert.equal(created.status, 'running');
  assert.match(created.stream_id, /^vs_/);
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 320, 180);
  await pusher.send(await picturesOf('testsrc2=s=320x180:r=10:d=5', 'mjpeg'), { fps: 10 });
  pusher.end();
  const summary = await listener.wait(({ type }) => type === 'summary');
  const frames = ofType(listener.events, 'frame');
  // One for each second, but for those that a busy machine has no time for.
  const at = frames.map((each) => Math.round(each.timestamp_seconds));
  assert.ok(at[0] === 0 && at.every((second, k) => k === 0 || second > (at[k - 1] ?? 0)), at.join(', '));
  const clips = ofType(listener.events, 'clip');
  assert.deepEqual(
    clips.slice(0, 2).map((each) => [each.start_seconds, each.end_seconds]),
    [
      [0, 2],
      [2, 4],
    ],
  );
  assert.deepEqual(
    listener.events.map(({ seq }) => seq),
    listener.events.map((_, i) => i + 1),
  );
  assert.equal(summary.reason, 'source_ended');
  assert.equal(summary.flag, false);
  assert.equal((summary.frames_analyzed ?? 0) + (summary.frames_dropped ?? 0), 5);
  assert.equal(summary.coverage?.['Sexual'], 'model');
  assert.equal(summary.coverage?.['Scene_Action_Risk'], 'heuristic');
  assert.equal(summary.coverage?.['Deepfake_Manipulation'], 'none', 'a live stream has no metadata');
  const unused = summary.notes?.find(({ code }) => code === 'not_in_live_sessions');
  assert.match(unused?.message ?? '', /subtitles, metadata, the vision model/);
  assert.deepEqual(Object.keys(summary.probs).toSorted(), [...categories].toSorted());
  assert.equal(await listener.closed, 1000);
  const body = await endedStream(call, created.stream_id, as);
  assert.equal(body.status, 'ended');
  assert.equal(body.frames_analyzed, summary.frames_analyzed);
  const replay = await listenTo(`${onPort(created.websocket_url, port)}&after=${summary.seq - 2}`);
  await replay.closed;
  assert.deepEqual(
    replay.events.map(({ seq }) => seq),
    [summary.seq - 1, summary.seq],
  );
});

test('H.264: flashes are flagged in their clip while the stream runs, and DELETE ends it with a summary', async () => {
  const { created, listener, ingestUrl } = await open({
    transport: 'websocket',
    sampling: { clip_seconds: 2 },
  });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('h264', 320, 180);
  const flashes =
    "color=black:s=320x180:r=30:d=6,geq=lum='if(between(N,70,110)*mod(N,2),235,16)':cb=128:cr=128";
  const sending = pusher.send(await h264Of(flashes), { fps: 30 });
  const clip = await listener.wait(({ type, flag }) => type === 'clip' && flag);
  assert.equal(clip.start_seconds, 2);
  assert.equal(clip.probs['Scene_Action_Risk'], 1);
  assert.equal(clip.categories['Scene_Action_Risk'], true);
  await sending;
  const path = `/api/videomoderation/streams/${created.stream_id}`;
  const { status, body } = await call('DELETE', path, { as });
  assert.equal(status, 200);
  assert.equal(body.status, 'stopped');
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'deleted');
  assert.equal(summary.categories['Scene_Action_Risk'], true);
  assert.equal((await pusher.closed).code, 1000);
  const again = await call('DELETE', path, { as });
  assert.deepEqual([again.status, again.body.status], [200, 'stopped']);
});

for (const [format, bytes] of [
  ['rgb24', 3],
  ['rgba', 4],
  ['yuv420p', 1.5],
] as const)
  test(`raw ${format} pictures are judged, and the sender is told every second`, async () => {
    const { listener, ingestUrl } = await open({ transport: 'websocket' });
    await using pusher = await openPusher(ingestUrl ?? '');
    pusher.start(format, 160, 90);
    await pusher.send(await picturesOf('color=red:s=160x90:r=5:d=2.4', format, 160 * 90 * bytes), { fps: 5 });
    pusher.end();
    const summary = await listener.wait(({ type }) => type === 'summary');
    assert.ok((summary.frames_analyzed ?? 0) >= 1, JSON.stringify(summary));
    assert.deepEqual(pusher.acks.at(-1), { type: 'ack', seq: 12, accepted: 12, dropped: 0 });
  });

test('what is no frame closes with 4400, what is too large with 4413, who has no token gets 401', async () => {
  const { created, ingestUrl } = await open({ transport: 'websocket' });
  const closing = async (speak: (pusher: Awaited<ReturnType<typeof openPusher>>) => void) => {
    await using pusher = await openPusher(ingestUrl ?? '');
    speak(pusher);
    return await pusher.closed;
  };
  const first = await closing(({ socket }) => socket.send(Buffer.alloc(40)));
  assert.deepEqual([first.code, first.reason], [4400, 'The first message must be {"type":"start", …}.']);
  assert.equal((await closing(({ socket }) => socket.send('{"type":"start","format":"gif"}'))).code, 4400);
  assert.equal((await closing(({ start }) => start('rgb24', 8000, 8000))).code, 4400);
  const bad = await closing(({ socket, start }) => {
    start('mjpeg', 320, 180);
    socket.send(Buffer.from('not a frame with a header'));
  });
  assert.match(bad.reason, /0x564D/);
  const large = await closing(({ socket, start }) => {
    start('mjpeg', 320, 180);
    socket.send(Buffer.alloc(2_000_100));
  });
  assert.equal(large.code, 4413);
  const wrong = onPort(created.ingest_url, port);
  await assert.rejects(openPusher(`${wrong}?token=wrong`), /401/);
  await assert.rejects(openPusher(wrong), /401/);
  await using other = await openPusher(ingestUrl ?? '');
  const second = await openPusher(ingestUrl ?? '');
  assert.equal((await second.closed).code, 4409, 'there is one sender at a time');
  other.socket.close();
  await call('DELETE', `/api/videomoderation/streams/${created.stream_id}`, { as });
  const late = await openPusher(ingestUrl ?? '');
  assert.equal((await late.closed).code, 4409, 'the session has ended');
});

test('sessions of other tenants do not exist; unfitting requests are refused', async () => {
  const { created } = await open({ transport: 'websocket' });
  const path = `/api/videomoderation/streams/${created.stream_id}`;
  const stranger = tokens.stranger;
  assert.equal((await call('GET', path, { as: stranger })).status, 404);
  assert.equal((await call('DELETE', path, { as: stranger })).status, 404);
  assert.equal((await call('GET', `${path}/feed`, { as: stranger })).status, 404);
  assert.deepEqual((await call('GET', '/api/videomoderation/streams', { as: stranger })).body.streams, []);
  const listed = await call('GET', '/api/videomoderation/streams?status=running', { as });
  assert.ok(listed.body.streams.some((each: { stream_id: string }) => each.stream_id === created.stream_id));
  const create = (body: object) => call('POST', '/api/videomoderation/streams', { as, body });
  assert.equal((await create({})).status, 400);
  assert.equal((await create({ transport: 'carrier-pigeon' })).status, 422);
  assert.equal((await create({ transport: 'hls' })).status, 400);
  assert.equal((await create({ transport: 'websocket', source_url: 'http://example.com/a' })).status, 422);
  assert.equal((await create({ transport: 'hls', source_url: 'http://169.254.169.254/a.m3u8' })).status, 422);
  assert.equal((await create({ transport: 'websocket', callback_url: 'http://10.0.0.1/' })).status, 422);
  assert.equal((await create({ transport: 'websocket', sampling: { fps: 31 } })).status, 422);
  assert.equal((await create({ transport: 'websocket', deployment_id: 'none' })).status, 404);
  await call('DELETE', path, { as });
});

test('the event socket takes an API key, or the token of its own address, and nothing else', async () => {
  const { created } = await open({ transport: 'websocket' });
  const other = await open({ transport: 'websocket' });
  const events = new URL(onPort(created.websocket_url, port));
  const token = new URL(other.created.websocket_url).searchParams.get('token') ?? '';
  events.search = '';
  const key = await addTestKey(service.db, 'member');
  const listener = await listenTo(events.href, { authorization: `Bearer ${key}` });
  await assert.rejects(listenTo(events.href), /401/);
  await assert.rejects(listenTo(`${events.href}?token=${token}`), /401/, 'the token of another session');
  await assert.rejects(listenTo(`${events.href}?token=${token.replace(/^\d/, '9')}`), /401/);
  await assert.rejects(
    listenTo(events.href, { authorization: `Bearer ${tokens.stranger}` }).then(({ closed }) =>
      closed.then((code) => Promise.reject(new Error(String(code)))),
    ),
    /4404/,
  );
  const byMember = await call('DELETE', `/api/videomoderation/streams/${created.stream_id}`, {
    as: tokens.member,
  });
  assert.equal(byMember.status, 403, 'only its owner and administrators end it');
  for (const { stream_id: id } of [created, other.created])
    await call('DELETE', `/api/videomoderation/streams/${id}`, { as });
  assert.equal((await listener.wait(({ type }) => type === 'summary')).reason, 'deleted');
});
