import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeAuthority } from '#base/grpc/fixtures/certificates.ts';
import { endedStream, listenHere, loadModels, openStream, startSender } from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-rtmps-'));
const certificate = makeAuthority('an authority of the test').issue('127.0.0.1');
await writeFile(join(folder, 'cert.pem'), certificate.cert);
await writeFile(join(folder, 'key.pem'), certificate.key);
const service = await openTestService({
  BULWARK_VIDEO_MODERATION_RTMP_PORT: '0',
  BULWARK_VIDEO_MODERATION_RTMPS_PORT: '0',
  BULWARK_VIDEO_MODERATION_RTMPS_CERT_FILE: join(folder, 'cert.pem'),
  BULWARK_VIDEO_MODERATION_RTMPS_KEY_FILE: join(folder, 'key.pem'),
  BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '6',
  BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '8',
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const { call, tokens } = service;
const port = await listenHere(service.app);
const as = tokens.admin;
await loadModels(call, as);
const open = (body: object) => openStream({ call, as, port }, body);

const encoded = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-bf',
  '2',
  '-g',
  '20',
  '-pix_fmt',
  'yuv420p',
  '-f',
  'flv',
];
const source = (seconds: number) => [
  '-re',
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=320x180:r=20:d=${seconds}`,
  ...encoded,
];

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => resolve(found));
    });
  });

test('ffmpeg publishes by RTMP with B-frames; the session ends with the stream', async () => {
  const { created, listener } = await open({ transport: 'rtmp', sampling: { clip_seconds: 2 } });
  assert.match(created.ingest_url, /^rtmp:\/\/127\.0\.0\.1:\d+\/live\/vs_/);
  await using sender = startSender(...source(5), `${created.ingest_url}?token=${created.ingest_token}`);
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'source_ended');
  assert.ok((summary.frames_analyzed ?? 0) + (summary.frames_dropped ?? 0) >= 4, JSON.stringify(summary));
  assert.ok((summary.clips_analyzed ?? 0) >= 2);
  // A machine under load sends its five seconds more slowly.
  assert.ok((summary.duration_seconds ?? 0) > 4, `${summary.duration_seconds} s`);
  assert.equal(summary.coverage?.['Sexual'], 'model');
  await sender.ended;
});

test('ffmpeg publishes by RTMPS; a wrong token is refused there too, and so is RTMP on its port', async () => {
  const { created, listener } = await open({ transport: 'rtmps', sampling: { clip_seconds: 2 } });
  assert.match(created.ingest_url, /^rtmps:\/\/127\.0\.0\.1:\d+\/live\/vs_/);
  await using wrong = startSender(...source(3), `${created.ingest_url}?token=wrong`);
  assert.notEqual(await wrong.ended, 0);
  const plain = created.ingest_url.replace('rtmps:', 'rtmp:');
  await using unencrypted = startSender(...source(3), `${plain}?token=${created.ingest_token}`);
  assert.notEqual(await unencrypted.ended, 0);
  await using sender = startSender(...source(4), `${created.ingest_url}?token=${created.ingest_token}`);
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'source_ended');
  assert.ok((summary.frames_analyzed ?? 0) + (summary.frames_dropped ?? 0) >= 3, JSON.stringify(summary));
  await sender.ended;
});

test('a wrong token is refused; a sender that is killed may come back, and silence ends the session', async () => {
  const { created, listener } = await open({ transport: 'rtmp' });
  await using wrong = startSender(...source(3), `${created.ingest_url}?token=wrong`);
  assert.notEqual(await wrong.ended, 0);
  const url = `${created.ingest_url}?token=${created.ingest_token}`;
  const path = `/api/videomoderation/streams/${created.stream_id}`;
  {
    await using first = startSender(...source(60), url);
    await listener.wait(({ type, timestamp_seconds: at }) => type === 'frame' && at > 0.9);
    first.child.kill('SIGKILL');
    await first.ended;
  }
  const until = performance.now() + 5000;
  let state = '';
  while (state !== 'stalled' && performance.now() < until)
    state = (await call('GET', path, { as })).body.ingest_state;
  assert.equal(state, 'stalled');
  const before = listener.events.length;
  {
    await using second = startSender(...source(60), url);
    const next = await listener.wait(
      (event) => listener.events.indexOf(event) >= before && event.type === 'frame',
    );
    assert.ok(next.timestamp_seconds > 1, 'time goes on');
    second.child.kill('SIGKILL');
  }
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'idle');
  assert.equal((await endedStream(call, created.stream_id, as)).status, 'ended');
});

test('a stream is pulled from an RTMP server; a server that is not there is tried until the session fails', async () => {
  const at = await freePort();
  const url = `rtmp://127.0.0.1:${at}/app/stream`;
  await using server = startSender(...source(4), '-listen', '1', url);
  const { created, listener } = await open({ transport: 'rtmp', source_url: url });
  assert.equal(created.ingest_url, undefined);
  const frame = await listener.wait(({ type }) => type === 'frame');
  assert.equal(frame.flag, false);
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.ok((summary.frames_analyzed ?? 0) >= 1, JSON.stringify(summary));
  await server.ended;
  const nobody = await open({
    transport: 'rtmp',
    source_url: `rtmp://127.0.0.1:${await freePort()}/app/stream`,
  });
  const lost = await nobody.listener.wait(({ type }) => type === 'summary');
  assert.equal(lost.reason, 'source_lost');
  const error = nobody.listener.events.find(({ type }) => type === 'error');
  assert.deepEqual([error?.code, error?.retryable], ['source_unreachable', true]);
  assert.equal((await endedStream(call, nobody.created.stream_id, as)).status, 'failed');
});
