import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  status,
  type ClientDuplexStream,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { videoModerationProto } from './api/grpc/methods.ts';
import { h264Of, loadModels, picturesOf, type Event } from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
await loadModels(service.call, service.tokens.admin);
const address = await service.grpc.listen({ service: 'video', host: '127.0.0.1', port: 0, portSetting: '' });
const options = { keepCase: true, longs: Number, enums: String, oneofs: true };
const loaded = loadPackageDefinition(loadSync(videoModerationProto, options)) as unknown as {
  bulwark: { videomoderation: { v1: { VideoModerationService: ServiceClientConstructor } } };
};
const client = new loaded.bulwark.videomoderation.v1.VideoModerationService(
  address,
  credentials.createInsecure(),
);
after(async () => {
  client.close();
  await service[Symbol.asyncDispose]();
});

function moderate(token: string | undefined) {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const call = (client['Moderate'] as (sent: Metadata) => ClientDuplexStream<object, Event>).call(
    client,
    metadata,
  );
  const events: Event[] = [];
  call.on('data', (event: Event) => events.push(event));
  const ended = new Promise<ServiceError | undefined>((resolve) => {
    call.once('end', () => resolve(undefined));
    call.once('error', (error: ServiceError) => resolve(error));
  });
  return { call, events, ended };
}

const frames = (data: readonly Buffer[], fps: number) =>
  data.map((each, i) => ({ frame: { data: each, timestamp_us: (i * 1e6) / fps, key: i === 0, seq: i + 1 } }));

test('a gRPC client pushes H.264 and gets frames, clips and the summary in the same call, in order', async () => {
  const { call, events, ended } = moderate(service.tokens.admin);
  call.write({ start: { format: 'h264', width: 320, height: 180, fps: 2, clip_seconds: 1 } });
  for (const each of frames(await h264Of('testsrc2=s=320x180:r=10:d=3'), 10)) {
    call.write(each);
    await sleep(100);
  }
  call.write({ end: {} });
  assert.equal(await ended, undefined);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, i) => i + 1),
  );
  assert.equal(events.filter(({ type }) => type === 'clip').length, 3);
  const summary = events.at(-1);
  assert.equal(summary?.type, 'summary');
  assert.equal((summary.frames_analyzed ?? 0) + (summary.frames_dropped ?? 0), 6);
  assert.equal(summary.coverage?.['Sexual'], 'model');
});

test('frames of a session made before; one without a start, of another tenant or without a key is refused', async () => {
  const { body } = await service.call('POST', '/api/videomoderation/streams', {
    as: service.tokens.admin,
    body: { transport: 'grpc' },
  });
  const start = { stream_id: body.stream_id, format: 'mjpeg', width: 160, height: 90 };
  const [picture = Buffer.alloc(0)] = await picturesOf('color=gray:s=160x90:r=1:d=1', 'mjpeg');
  const refused = async (token: string | undefined, message: object) => {
    const { call, ended } = moderate(token);
    call.write(message);
    const error = await ended;
    call.destroy();
    return error?.code;
  };
  assert.equal(await refused(undefined, { start }), status.UNAUTHENTICATED);
  assert.equal(await refused(service.tokens.stranger, { start }), status.NOT_FOUND);
  assert.equal(await refused(service.tokens.admin, { frame: { data: picture } }), status.INVALID_ARGUMENT);
  assert.equal(
    await refused(service.tokens.admin, { start: { ...start, format: 'gif' } }),
    status.INVALID_ARGUMENT,
  );
  const own = moderate(service.tokens.admin);
  own.call.write({ start });
  for (const each of frames([picture, picture], 1)) own.call.write(each);
  own.call.end();
  assert.equal(await own.ended, undefined);
  assert.equal(own.events.at(-1)?.reason, 'source_ended');
});

test('the ingest token of a session is good for that session, and no other one', async () => {
  const create = async () =>
    (
      await service.call('POST', '/api/videomoderation/streams', {
        as: service.tokens.admin,
        body: { transport: 'grpc' },
      })
    ).body;
  const [own, other] = [await create(), await create()];
  const start = { format: 'mjpeg', width: 160, height: 90 };
  const wrong = moderate(own.ingest_token);
  wrong.call.write({ start: { ...start, stream_id: other.stream_id } });
  assert.equal((await wrong.ended)?.code, status.PERMISSION_DENIED);
  for (const { ingest_token: token, stream_id } of [
    { ...own, stream_id: '' },
    { ...other, stream_id: other.stream_id },
  ]) {
    const { call, events, ended } = moderate(token);
    call.write({ start: { ...start, stream_id } });
    call.end();
    assert.equal(await ended, undefined);
    assert.equal(events.at(-1)?.reason, 'source_ended');
  }
  const late = moderate(own.ingest_token);
  late.call.write({ start });
  assert.equal((await late.ended)?.code, status.UNAUTHENTICATED, 'the session has ended');
});
