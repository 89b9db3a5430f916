/** A page publishes by WebRTC (WHIP) to a live session of video moderation. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { listenHere, openStream } from '#services/video-moderation/fixtures/live.ts';
import { openTestService, type TestService } from '#services/video-moderation/fixtures/service.ts';
import { openChromium, openWindow } from './browser.ts';
import { publish } from './whip-page.ts';

let service: TestService;
let browser: Browser;
let page: Page;
let port: number;
before(async () => {
  service = await openTestService({ BULWARK_VIDEO_MODERATION_IDLE_SECONDS: '8' });
  port = await listenHere(service.app);
  browser = await openChromium();
  page = await (await openWindow(browser)).newPage();
  await page.goto(`http://127.0.0.1:${port}/health`);
});
after(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
});

for (const mimeType of ['video/VP8', 'video/H264'])
  test(`Chromium publishes ${mimeType}: frames are judged, and DELETE of WHIP ends the session`, async (t) => {
    const { created, listener } = await openStream(
      { call: service.call, as: service.tokens.admin, port },
      { transport: 'webrtc', sampling: { clip_seconds: 2 } },
    );
    const url = new URL(created.ingest_url as string);
    url.port = String(port);
    const published = await publish(page, url.href, created.ingest_token as string, mimeType);
    if (published.missing !== undefined) {
      t.skip(`this Chromium sends ${published.missing.join(', ')}`);
      return;
    }
    assert.equal(published.status, 201, JSON.stringify(published));
    const frame = await listener.wait(({ type, timestamp_seconds: at }) => type === 'frame' && at >= 1.5);
    assert.equal(frame.flag, false);
    await listener.wait(({ type }) => type === 'clip');
    const ended = await fetch(url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${created.ingest_token}` },
    });
    assert.equal(ended.status, 200);
    const summary = await listener.wait(({ type }) => type === 'summary');
    assert.equal(summary.reason, 'source_ended');
    t.diagnostic(
      `latency of frames: ${listener.events
        .filter(({ type }) => type === 'frame')
        .map(({ latency_ms: ms }) => Math.round(ms))
        .join(', ')} ms`,
    );
  });

test('offers without a token, of another tenant, or that are none are refused', async () => {
  const { created } = await openStream(
    { call: service.call, as: service.tokens.admin, port },
    { transport: 'webrtc' },
  );
  const path = `/api/videomoderation/streams/${created.stream_id}/whip`;
  const post = (headers: Record<string, string>, raw = 'v=0\r\n') =>
    service.call('POST', path, { raw, headers: { 'content-type': 'application/sdp', ...headers } });
  assert.equal((await post({})).status, 401);
  assert.equal((await post({ authorization: 'Bearer wrong' })).status, 401);
  assert.equal((await post({ authorization: `Bearer ${service.tokens.stranger}` })).status, 404);
  const own = { authorization: `Bearer ${created.ingest_token}` };
  assert.equal((await post(own)).status, 422);
  assert.equal((await post(own, 'no offer')).status, 422);
  assert.equal((await post(own, 'v=0\r\nm=video nonsense\r\n')).status, 422);
});
