import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lavfi, openClips } from './fixtures/clips.ts';
import { listenHere, onPort, openPusher, openStream, picturesOf } from './fixtures/live.ts';
import { openTestService } from './fixtures/service.ts';

const clips = await openClips();
const service = await openTestService({
  BULWARK_VIDEO_MODERATION_BASE64_BYTES: '100000',
  BULWARK_VIDEO_MODERATION_URL_BYTES: '200000',
  BULWARK_VIDEO_MODERATION_LONGEST_SECONDS: '4',
  BULWARK_VIDEO_MODERATION_DEADLINE_SECONDS: '3',
  BULWARK_VIDEO_MODERATION_CHECKS_AT_ONCE: '1',
  BULWARK_VIDEO_MODERATION_CHECKS_WAITING: '0',
  BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '2',
});
/** `/slow` sends a byte now and then, `/endless` never stops, `/short` breaks off, `/file` is a video. */
const video = await readFile(await clips.make('short.mp4', ...lavfi('color=red:s=160x90:r=5:d=2')));
const slow = new Set<ServerResponse>();
const server = createServer((request, response) => {
  const send: Record<string, () => void> = {
    '/file': () => response.end(video),
    '/large': () => response.writeHead(200, { 'content-length': '300000' }).write('x'),
    '/endless': () => {
      const more = () => response.write(Buffer.alloc(64_000)) && setImmediate(more);
      response.on('drain', more);
      more();
    },
    '/short': () => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write('x', () => response.destroy());
    },
    '/slow': () => {
      slow.add(response);
      response.writeHead(200, { 'content-length': '5000' });
      const timer = setInterval(() => response.write('x'), 200);
      response.once('close', () => clearInterval(timer));
    },
  };
  (send[request.url ?? ''] ?? (() => response.writeHead(404).end()))();
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  server.closeAllConnections();
  server.close();
  await service[Symbol.asyncDispose]();
  await clips[Symbol.asyncDispose]();
});
const { call, tokens } = service;
const as = tokens.admin;
const check = (body: object) => call('POST', '/api/videomoderation', { as, body });

test('too large or too long: 413, whether the sender says its size or not', async () => {
  const large = await check({ video_b64: Buffer.alloc(120_000).toString('base64') });
  assert.equal(large.status, 413);
  assert.match(large.body.detail, /'video_b64' is larger than 100000 bytes/);
  for (const path of ['large', 'endless'])
    assert.equal((await check({ video_url: `${base}/${path}` })).status, 413, path);
  const long = await clips.make('long.mp4', ...lavfi('color=red:s=160x90:r=2:d=7'));
  const answer = await check({ video_b64: await clips.base64(long) });
  assert.equal(answer.status, 413);
  assert.match(answer.body.detail, /7 s long; 4 s is the most/);
  const bitLonger = await clips.make('bit-longer.mp4', ...lavfi('color=red:s=160x90:r=2:d=5'));
  const second = await check({ video_b64: await clips.base64(bitLonger) });
  assert.deepEqual([second.status, second.body.detail.split(';')[0]], [413, 'The video is 5 s long']);
});

test('base64 is taken with the line ends of programs, and as a data URI with parameters', async () => {
  const lines = video.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  for (const video_b64 of [`${lines}\n`, `data:video/mp4;codecs="avc1.42E01E";base64,${lines}`])
    assert.notEqual((await check({ video_b64 })).status, 422);
  for (const wrong of ['', '=', 'AA=A', 'a*b', `${' '.repeat(90_000)}*`])
    assert.equal((await check({ video_b64: wrong })).status, 422, wrong.trim());
});

test('an address without a file, or that breaks off: 502', async () => {
  assert.equal((await check({ video_url: `${base}/none` })).status, 502);
  assert.equal((await check({ video_url: `${base}/short` })).status, 502);
});

test('an address that sends a byte now and then: 504 at the deadline, 429 for others meanwhile, and then room again', async () => {
  const waiting = check({ video_url: `${base}/slow` });
  while (slow.size === 0) await sleep(20);
  const refused = await check({ video_url: `${base}/file` });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  const late = await waiting;
  assert.equal(late.status, 504);
  assert.match(late.body.detail, /within 3 s/);
  for (const response of slow) if (!response.closed) await new Promise((end) => response.once('close', end));
  const { status } = await check({ video_url: `${base}/file` });
  assert.notEqual(status, 429, 'the place is free again');
});

test('a sender that falls silent is closed with 4408; a thousand sockets without a session are refused one by one', async () => {
  const port = await listenHere(service.app);
  const { ingestUrl, listener } = await openStream({ call, as, port }, { transport: 'websocket' });
  const pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 160, 90);
  const { code } = await pusher.closed;
  // The session itself ends at the same time: whichever is first.
  assert.ok(code === 4408 || code === 1000, String(code));
  assert.equal((await listener.wait(({ type }) => type === 'summary')).reason, 'idle');
  const path = '/api/videomoderation/streams/vs_000000000000000000000000/ingest?token=wrong';
  const refused = await Promise.all(
    Array.from(
      { length: 1000 },
      () =>
        new Promise<string>((resolve) => {
          const socket = connect(port, '127.0.0.1', () =>
            socket.write(
              `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
            ),
          );
          socket.once('data', (data) => {
            resolve(String(data).slice(9, 12));
            socket.destroy();
          });
          socket.once('error', (error) => resolve(error.message));
        }),
    ),
  );
  assert.deepEqual([...new Set(refused)], ['401']);
  assert.equal((await call('GET', '/health')).status, 200);
});

test('a session that another process has made is taken over while there is a place, and closed with 4429 after that', async () => {
  const one = {
    BULWARK_JWT_SECRET: 'one secret for both processes, long enough',
    BULWARK_VIDEO_MODERATION_STREAMS_PER_CORE: '1',
    BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '1000',
  };
  await using here = await openTestService(one);
  await using other = await openTestService(one, { db: here.db });
  const port = await listenHere(here.app);
  const path = '/api/videomoderation/streams';
  const make = async (by: typeof here) => {
    const { body } = await by.call('POST', path, { as: here.tokens.admin, body: { transport: 'websocket' } });
    return `${onPort(body.ingest_url, port)}?token=${body.ingest_token}`;
  };
  const places = availableParallelism();
  const [last = '', ...others] = await Promise.all(Array.from({ length: places }, () => make(other)));
  const own = await make(here);
  const picture = await picturesOf('testsrc2=s=160x90:r=1:d=1', 'mjpeg');
  for (const url of [own, ...others]) {
    await using pusher = await openPusher(url);
    pusher.start('mjpeg', 160, 90);
    await pusher.send(picture, { fps: 1 });
  }
  await using late = await openPusher(last);
  const { code, reason } = await late.closed;
  assert.equal(code, 4429);
  assert.match(reason, new RegExp(`runs ${places} sessions at a time`));
});
