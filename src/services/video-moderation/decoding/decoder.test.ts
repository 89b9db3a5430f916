import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '#base/errors.ts';
import { lavfi, openClips } from '../fixtures/clips.ts';
import { Decoder } from './decoder.ts';
import { decodeFile } from './decode.ts';
import { jpegsOf } from './jpegs.ts';
import { probe } from './probe.ts';

const settings = {
  ffmpegPath: 'ffmpeg',
  ffprobePath: 'ffprobe',
  memoryBytes: 1024 ** 3,
  threads: 1,
  mostPixels: 1280 * 720,
};
const clips = await openClips();
const decoder = new Decoder(settings, () => undefined);
after(() => clips[Symbol.asyncDispose]());
const signal = () => AbortSignal.timeout(60_000);
const probed = async (path: string) => probe(decoder, path, (await stat(path)).size, signal());
const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: unknown) => (error instanceof AppError ? error.status : Promise.reject(error as Error)),
  );

async function pictures(path: string, fps: number, seconds = 60) {
  const media = await probed(path);
  const counts = { flow: 0, sample: 0, large: 0 };
  let last = 0;
  const request = { ...media, path, fps, withFlow: true, largeEverySeconds: 2, seconds, wallMs: 60_000 };
  for await (const picture of decodeFile(decoder, request, signal())) {
    counts[picture.output] += 1;
    last = Math.max(last, picture.seconds);
  }
  return { counts, last, media };
}

test('one decode: every picture small, samples by time, large ones now and then; red stays red', async () => {
  const path = await clips.make('red.mp4', ...lavfi('color=red:s=640x360:r=25:d=4'));
  const { counts, last, media } = await pictures(path, 2);
  assert.deepEqual(counts, { flow: 100, sample: 8, large: 2 });
  assert.equal(last.toFixed(2), '3.96');
  assert.equal(media.container, 'mp4');
  const request = {
    ...media,
    path,
    fps: 1,
    withFlow: true,
    largeEverySeconds: undefined,
    seconds: 1,
    wallMs: 60_000,
  };
  for await (const { rgb } of decodeFile(decoder, request, signal()))
    assert.ok((rgb[0] ?? 0) > 200 && (rgb[1] ?? 255) < 30 && (rgb[2] ?? 255) < 30);
});

test('samples are by time and not by key frames', async () => {
  const path = await clips.make('one-key.mp4', ...lavfi('testsrc2=s=320x180:r=30:d=6'), '-g', '9999');
  assert.equal((await pictures(path, 1)).counts.sample, 6);
});

test('WebM and MOV are read, other formats are 415 whatever their name', async () => {
  const webm = await clips.make(
    'a.webm',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=10:d=1',
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
  );
  assert.equal((await probed(webm)).container, 'webm');
  const mov = await clips.make('a.mov', ...lavfi('testsrc2=s=320x180:r=10:d=1'));
  assert.equal((await probed(mov)).container, 'mov');
  const avi = await clips.make('a.avi', ...lavfi('testsrc2=s=320x180:r=10:d=1'));
  assert.equal(await statusOf(probed(avi)), 415);
});

test('playlists and lists of files, named as videos, are refused and reach nothing', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [name, text] of [
    ['playlist.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:${port}/a.ts\n`],
    ['concat.mp4', 'ffconcat version 1.0\nfile /etc/passwd\n'],
    ['dash.mp4', `<?xml version="1.0"?><MPD><BaseURL>http://127.0.0.1:${port}/</BaseURL></MPD>`],
  ] as const) {
    const path = join(clips.folder, name);
    await writeFile(path, text, { mode: 0o644 });
    assert.equal(await statusOf(probed(path)), 415, name);
    // Also where our own check of the first bytes is passed over: ffmpeg itself refuses.
    const { code } = await decoder.run(
      'ffprobe',
      ['-v', 'error', ...decoder.inputOptions(path)],
      { wallMs: 10_000 },
      { file: path },
    );
    assert.notEqual(code, 0, name);
  }
  assert.deepEqual(asked, []);
  server.close();
});

test('the decoder reaches no network and reads no file but its own', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const { port } = server.address() as AddressInfo;
  const { code } = await decoder.run('ffprobe', ['-v', 'error', '-i', `http://127.0.0.1:${port}/a.mp4`], {
    wallMs: 10_000,
  });
  assert.notEqual(code, 0);
  assert.equal(connections, 0);
  server.close();
  const other = await clips.make('other.mp4', ...lavfi('testsrc2=s=320x180:r=10:d=1'));
  const own = await clips.make('own.mp4', ...lavfi('testsrc2=s=320x180:r=10:d=1'));
  const read = await decoder.run(
    'ffprobe',
    ['-v', 'error', '-i', `file:${other}`],
    { wallMs: 10_000 },
    { file: own },
  );
  assert.notEqual(read.code, 0);
});

test('pictures beyond the limit: 413; a broken file: 422; an empty one: 422', async () => {
  const large = await clips.make('large.mp4', ...lavfi('color=black:s=1920x1080:r=5:d=1'));
  assert.equal(await statusOf(probed(large)), 413);
  const broken = join(clips.folder, 'broken.mp4');
  await writeFile(
    broken,
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(900, 3)]),
    { mode: 0o644 },
  );
  assert.equal(await statusOf(probed(broken)), 422);
  const empty = join(clips.folder, 'empty.mp4');
  await writeFile(empty, '', { mode: 0o644 });
  assert.equal(await statusOf(probed(empty)), 422);
});

test('a missing decoder is 503 with the line that installs it', async () => {
  const without = new Decoder({ ...settings, ffmpegPath: 'no-such-ffmpeg' }, () => undefined);
  assert.match((await without.state()).message, /apt-get install ffmpeg/);
  assert.throws(() => without.assertInstalled(), { status: 503 });
});

test('memory and time of the decoder are limited', async () => {
  const path = await clips.make('long.mp4', ...lavfi('testsrc2=s=1280x720:r=30:d=8'));
  const media = await probed(path);
  const request = { ...media, path, fps: 1, withFlow: true, largeEverySeconds: 2, seconds: 60 };
  const run = async (of: Decoder, wallMs: number) => {
    for await (const _ of decodeFile(of, { ...request, wallMs }, signal()));
  };
  assert.equal(await statusOf(run(decoder, 100)), 504);
  const small = new Decoder({ ...settings, memoryBytes: 8 * 1024 ** 2 }, () => undefined);
  assert.equal(await statusOf(run(small, 60_000)), 422);
});

test('JPEG pictures are spread over a part of the file', async () => {
  const path = await clips.make('jpegs.mp4', ...lavfi('testsrc2=s=640x360:r=10:d=4'));
  const media = await probed(path);
  const found = await jpegsOf(decoder, { path, media, startSeconds: 1, endSeconds: 3, most: 4 }, signal());
  assert.equal(found.length, 4);
  assert.ok(found.every(({ jpeg }) => jpeg.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]))));
});
