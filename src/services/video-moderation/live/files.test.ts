import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listenHere, loadModels, openStream, startSender } from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';
import { durationOf, readManifest } from './sources/segments/dash.ts';
import { readPlaylist } from './sources/segments/hls.ts';

const service = await openTestService({
  BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '6',
  BULWARK_VIDEO_MODERATION_STREAMS_PER_KEY: '8',
});
const folder = await mkdtemp(join(tmpdir(), 'bulwark-files-'));
/** Serves the folder, and says what was asked for. */
const asked: string[] = [];
const redirects = new Map<string, string>();
const server = createServer((request, response) => void serve(request.url ?? '/', response));
async function serve(url: string, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://files');
  asked.push(pathname);
  const location = redirects.get(pathname);
  if (location !== undefined) {
    response.writeHead(302, { location }).end();
    return;
  }
  const content = await readFile(join(folder, pathname.replaceAll('..', ''))).catch(() => undefined);
  response.writeHead(content === undefined ? 404 : 200).end(content);
}
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  await service[Symbol.asyncDispose]();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
const { call, tokens } = service;
const port = await listenHere(service.app);
const as = tokens.admin;
await loadModels(call, as);
const open = (body: object) => openStream({ call, as, port }, body);

const encoding = '-c:v libx264 -preset veryfast -g 20 -keyint_min 20 -sc_threshold 0 -pix_fmt yuv420p'.split(
  ' ',
);
const picture = (seconds: number, isLive = true) => [
  ...(isLive ? ['-re'] : []),
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=320x180:r=20:d=${seconds}`,
  ...encoding,
];

test('a live HLS stream of ffmpeg is judged from its newest segment on, and ends with its playlist', async () => {
  await using sender = startSender(
    ...picture(10),
    '-f',
    'hls',
    '-hls_time',
    '1',
    '-hls_list_size',
    '4',
    join(folder, 'live.m3u8'),
  );
  const { created, listener } = await open({
    transport: 'hls',
    source_url: `${base}/live.m3u8`,
    sampling: { clip_seconds: 2 },
  });
  assert.equal(created.ingest_url, undefined);
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'source_ended');
  assert.ok((summary.frames_analyzed ?? 0) >= 1, JSON.stringify(summary));
  await sender.ended;
});

test('encrypted HLS with fragmented MP4 in several variants: the smallest that is large enough', async () => {
  const key = randomBytes(16);
  await writeFile(join(folder, 'own.key'), key);
  await writeFile(join(folder, 'key.info'), `own.key\n${join(folder, 'own.key')}\n`);
  await using sender = startSender(
    ...picture(4, false),
    '-f',
    'hls',
    '-hls_time',
    '1',
    '-hls_playlist_type',
    'vod',
    '-hls_key_info_file',
    join(folder, 'key.info'),
    join(folder, 'small.m3u8'),
  );
  assert.equal(await sender.ended, 0);
  const variants = [
    '#EXTM3U',
    '#EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=1920x1080',
    'missing.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360,CODECS="avc1.42e01e,mp4a.40.2"',
    'small.m3u8',
  ];
  await writeFile(join(folder, 'variants.m3u8'), variants.join('\n'));
  const { listener } = await open({ transport: 'hls', source_url: `${base}/variants.m3u8` });
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.equal(summary.reason, 'source_ended', JSON.stringify(listener.events));
  assert.ok((summary.frames_analyzed ?? 0) >= 1, JSON.stringify(summary));
  assert.ok(asked.includes('/own.key'));
});

test('a live DASH stream of ffmpeg is judged', async () => {
  await using sender = startSender(
    ...picture(8),
    '-f',
    'dash',
    '-seg_duration',
    '1',
    '-window_size',
    '4',
    join(folder, 'live.mpd'),
  );
  const { listener } = await open({ transport: 'dash', source_url: `${base}/live.mpd` });
  const summary = await listener.wait(({ type }) => type === 'summary');
  assert.ok(
    (summary.frames_analyzed ?? 0) >= 3,
    JSON.stringify(listener.events.filter(({ type }) => type === 'error')),
  );
  assert.equal(summary.reason, 'source_ended');
  await sender.ended;
});

test('a redirect, a segment or a key on a forbidden address ends the session, and nothing is contacted', async () => {
  redirects.set('/away.m3u8', 'http://169.254.169.254/latest/meta-data');
  await writeFile(
    join(folder, 'inside.m3u8'),
    '#EXTM3U\n#EXTINF:1,\nhttp://10.0.0.1/secret.ts\n#EXT-X-ENDLIST',
  );
  await writeFile(join(folder, 'file.m3u8'), '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST');
  for (const [name, reason] of [
    ['away.m3u8', 'source_forbidden'],
    ['inside.m3u8', 'source_forbidden'],
    ['file.m3u8', 'decode_failed'],
  ]) {
    const { listener } = await open({ transport: 'hls', source_url: `${base}/${name}` });
    const summary = await listener.wait(({ type }) => type === 'summary');
    assert.equal(summary.reason, reason, name);
    assert.equal(listener.events.find(({ type }) => type === 'error')?.retryable, false);
  }
});

test('playlists and manifests: ranges, keys, discontinuities, templates, and what is refused', () => {
  const list = readPlaylist(
    [
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-MEDIA-SEQUENCE:7',
      '#EXT-X-MAP:URI="init.mp4",BYTERANGE="600@0"',
      '#EXTINF:4,',
      '#EXT-X-BYTERANGE:1000@600',
      'all.mp4',
      '#EXT-X-BYTERANGE:500',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x000102030405060708090a0b0c0d0e0f',
      '#EXTINF:2.5,',
      'all.mp4',
    ].join('\r\n'),
    'https://example.com/a/b.m3u8',
  );
  assert.deepEqual(
    list.segments.map(({ position, range, seconds, isDiscontinuous, init, encryption }) => [
      position,
      range,
      seconds,
      isDiscontinuous,
      init?.url,
      encryption?.keyUrl,
    ]),
    [
      [7, { length: 1000, offset: 600 }, 4, false, 'https://example.com/a/init.mp4', undefined],
      [
        8,
        { length: 500, offset: 1600 },
        2.5,
        true,
        'https://example.com/a/init.mp4',
        'https://example.com/a/k',
      ],
    ],
  );
  assert.throws(
    () => readPlaylist('#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"', 'http://a/'),
    /encrypted/,
  );
  const manifest = (inner: string, type = 'static') =>
    `<?xml version="1.0"?><MPD type="${type}" mediaPresentationDuration="PT6S" availabilityStartTime="2026-01-01T00:00:00Z">
      <Period><AdaptationSet contentType="video">${inner}<Representation id="v&amp;1" bandwidth="5"/></AdaptationSet></Period></MPD>`;
  const template =
    '<SegmentTemplate timescale="10" duration="20" media="$RepresentationID$-$Number%03d$.m4s" initialization="i.mp4"/>';
  const recorded = readManifest(manifest(template), 'https://example.com/x/y.mpd', { nowMs: 0 });
  assert.deepEqual(
    recorded.segments.map(({ url }) => url),
    [1, 2, 3].map((n) => `https://example.com/x/v&1-00${n}.m4s`),
  );
  const now = Date.parse('2026-01-01T00:01:00.500Z');
  const live = readManifest(manifest(template, 'dynamic'), 'https://example.com/x/y.mpd', { nowMs: now });
  assert.deepEqual([live.isFinished, live.segments.at(-1)?.position], [false, 30]);
  const timeline =
    '<SegmentTemplate timescale="1" media="$Time$.m4s"><SegmentTimeline><S t="4" d="2" r="1"/><S d="3"/></SegmentTimeline></SegmentTemplate>';
  assert.deepEqual(
    readManifest(manifest(timeline), 'http://a/', { nowMs: 0 }).segments.map(({ position, seconds }) => [
      position,
      seconds,
    ]),
    [
      [4, 2],
      [6, 2],
      [8, 3],
    ],
  );
  const bomb =
    '<SegmentTemplate media="$Time$"><SegmentTimeline><S d="1" r="99999999"/></SegmentTimeline></SegmentTemplate>';
  assert.throws(() => readManifest(manifest(bomb), 'http://a/', { nowMs: 0 }), /20000 segments/);
  assert.throws(
    () =>
      readManifest('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><MPD>&x;</MPD>', 'http://a/', {
        nowMs: 0,
      }),
    /not well-formed/,
  );
  assert.equal(durationOf('P1DT1H2M3.5S'), 86_400 + 3723.5);
});
