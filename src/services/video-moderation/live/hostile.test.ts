import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { decodersBelow } from '../fixtures/decoders.ts';
import { listenHere, openPusher, openStream, picturesOf } from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({
  BULWARK_VIDEO_MODERATION_RTMP_PORT: '0',
  BULWARK_VIDEO_MODERATION_FRAME_BYTES: '1000000',
  BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '10',
});
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const port = await listenHere(service.app);
const as = tokens.admin;
const open = (body: object) => openStream({ call, as, port }, body);

/** Sends bytes, and resolves when the other side has closed. */
const closedAfter = (rtmpPort: number, parts: readonly Buffer[]) =>
  new Promise<number>((resolve, reject) => {
    const begun = performance.now();
    const socket = connect(rtmpPort, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.on('close', () => resolve(performance.now() - begun));
    setTimeout(() => {
      socket.destroy();
      reject(new Error('It was not closed.'));
    }, 15_000).unref();
  });

test('what is no RTMP, and messages that are too large or too many channels, close the connection', async () => {
  const { created } = await open({ transport: 'rtmp' });
  const rtmpPort = Number(new URL(created.ingest_url.replace('rtmp', 'http')).port);
  await closedAfter(rtmpPort, [Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(200))]);
  const handshake = [Buffer.of(3), randomBytes(1536), randomBytes(1536)];
  // A video message of 16 MB.
  await closedAfter(rtmpPort, [
    ...handshake,
    Buffer.from('0400000 0ffffff0901000000'.replaceAll(' ', ''), 'hex'),
  ]);
  const channels = Array.from({ length: 61 }, (_, i) => Buffer.of(3 + i, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0));
  await closedAfter(rtmpPort, [
    ...handshake,
    ...channels,
    ...Array.from({ length: 9 }, (_, i) => Buffer.of(0, i, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0)),
  ]);
  // A chunk size of nothing, and a command that is nested without an end.
  await closedAfter(rtmpPort, [
    ...handshake,
    Buffer.from('0200000000000401000000 0000000000'.replaceAll(' ', ''), 'hex'),
  ]);
  const nested = Buffer.concat(Array.from({ length: 300 }, () => Buffer.of(3, 0, 1, 97)));
  const head = Buffer.alloc(12);
  head.writeUInt8(3, 0);
  head.writeUIntBE(nested.length, 4, 3);
  head.writeUInt8(20, 7);
  const chunks = Array.from({ length: Math.ceil(nested.length / 128) }, (_, i) =>
    Buffer.concat([i === 0 ? head : Buffer.of(0xc3), nested.subarray(i * 128, (i + 1) * 128)]),
  );
  await closedAfter(rtmpPort, [...handshake, ...chunks]);
  assert.equal((await call('GET', '/health')).status, 200);
  assert.equal((await call('GET', `/api/videomoderation/streams/${created.stream_id}`, { as })).status, 200);
});

test('a JPEG that claims to be enormous is not decoded, and what follows is', async () => {
  const { created, listener, ingestUrl } = await open({ transport: 'websocket', sampling: { fps: 5 } });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('mjpeg', 160, 90);
  const good = await picturesOf('testsrc2=s=160x90:r=5:d=3', 'mjpeg');
  const bomb = Buffer.from(good[0] ?? Buffer.alloc(0));
  const size = bomb.indexOf(Buffer.from([0xff, 0xc0]));
  assert.ok(size > 0);
  bomb.writeUInt16BE(65_500, size + 5);
  bomb.writeUInt16BE(65_500, size + 7);
  await pusher.send([bomb, bomb, ...good], { fps: 5 });
  const frame = await listener.wait(({ type }) => type === 'frame');
  assert.equal(frame.flag, false);
  await call('DELETE', `/api/videomoderation/streams/${created.stream_id}`, { as });
  for (const until = Date.now() + 10_000; Date.now() < until && decodersBelow().length > 0;)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(decodersBelow(), []);
});

test('random bytes as H.264 end with an error in bounded time', async () => {
  const { listener, ingestUrl } = await open({ transport: 'websocket' });
  await using pusher = await openPusher(ingestUrl ?? '');
  pusher.start('h264', 160, 90);
  const start = Buffer.from([0, 0, 0, 1]);
  const noise = () =>
    Buffer.concat([
      start,
      Buffer.from([0x67, 0x42, 0xc0, 0x1e]),
      randomBytes(20),
      start,
      Buffer.of(0x68),
      randomBytes(8),
      start,
      Buffer.of(0x65),
      randomBytes(5000),
    ]);
  await pusher.send(Array.from({ length: 150 }, noise), { fps: 10 });
  const summary = await listener.wait(({ type }) => type === 'summary', 60_000);
  assert.ok(['decode_failed', 'idle'].includes(summary.reason ?? ''), summary.reason);
  // The decoder makes up a grey picture now and then.
  assert.ok(!listener.events.some(({ flag }) => flag === true));
});
