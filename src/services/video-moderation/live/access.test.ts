/** Who may feed, end and follow a session: its owner, administrators, and whoever has a token while the owner has access. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestKey } from '#identity/test-people.ts';
import { categories } from '../contract/names.ts';
import { endedStream, listenHere, listenTo, onPort, openPusher } from '../fixtures/live.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, callGuard, tokens } = service;
const port = await listenHere(service.app);
const streamsPath = '/api/videomoderation/streams';
const create = async (as: string, transport: string) => {
  const { body } = await call('POST', streamsPath, { as, body: { transport } });
  return { ...body, path: `${streamsPath}/${body.stream_id}` };
};
const deleteKey = async (key: string) => {
  const { body } = await callGuard('GET', '/api/api-keys', { as: tokens.member });
  const found = body.api_keys.find((each: { key_prefix: string }) => key.startsWith(each.key_prefix));
  assert.equal((await callGuard('DELETE', `/api/api-keys/${found.id}`, { as: tokens.member })).status, 200);
};

test('with its API key, a session’s addresses end, and the session itself, also while it waits', async () => {
  const key = await addTestKey(service.db, 'member');
  const waiting = await create(key, 'websocket');
  const events = onPort(waiting.websocket_url, port);
  const ingest = `${onPort(waiting.ingest_url, port)}?token=${waiting.ingest_token}`;
  (await listenTo(events)).close();
  await deleteKey(key);
  await assert.rejects(listenTo(events), /401/);
  await assert.rejects(openPusher(ingest), /401/);
  const { status, error } = await endedStream(call, waiting.stream_id, tokens.admin);
  assert.deepEqual([status, error], ['failed', 'The user or the API key of the session no longer exists.']);
});

test('who comes with the token of a session is counted for the key that made it', async () => {
  await using limited = await openTestService({ BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: '3' });
  const limitedPort = await listenHere(limited.app);
  const key = await addTestKey(limited.db, 'member');
  const { body } = await limited.call('POST', streamsPath, { as: key, body: { transport: 'websocket' } });
  const events = onPort(body.websocket_url, limitedPort);
  (await listenTo(events)).close();
  await using pusher = await openPusher(`${onPort(body.ingest_url, limitedPort)}?token=${body.ingest_token}`);
  pusher.start('mjpeg', 160, 90);
  await assert.rejects(listenTo(events), /429/);
  const path = `${streamsPath}/${body.stream_id}`;
  assert.equal((await limited.call('GET', path, { as: key })).status, 429);
  await limited.call('DELETE', path, { as: limited.tokens.admin });
});

test('a session of a key that expires goes on until then', async () => {
  const key = await addTestKey(service.db, 'member');
  const inAnHour = new Date(Date.now() + 3_600_000);
  await service.db.query("update identity.api_keys set expires_at = $1 where name = 'test'", [inAnHour]);
  const { ingest_url: url, ingest_token: token, path } = await create(key, 'websocket');
  await using pusher = await openPusher(`${onPort(url, port)}?token=${token}`);
  pusher.start('mjpeg', 160, 90);
  const isClosed = await Promise.race([
    pusher.closed.then(() => true),
    new Promise((resolve) => setTimeout(() => resolve(false), 6000)),
  ]);
  assert.equal(isClosed, false);
  await call('DELETE', path, { as: tokens.admin });
});

test('other members may see a session, but neither feed nor end it', async () => {
  const own = await create(tokens.admin, 'websocket');
  assert.equal((await call('GET', own.path, { as: tokens.member })).status, 200);
  const member = { authorization: `Bearer ${tokens.member}` };
  const pusher = await openPusher(onPort(own.ingest_url, port), member);
  assert.equal((await pusher.closed).code, 4403);
  assert.equal((await call('DELETE', own.path, { as: tokens.member })).status, 403);
  assert.equal((await call('DELETE', `${own.path}/whip`, { as: tokens.admin })).status, 409, 'no WebRTC');
  const webRtc = await create(tokens.admin, 'webrtc');
  const whip = `${webRtc.path}/whip`;
  const offer = { raw: 'v=0\r\n', headers: { 'content-type': 'application/sdp' } };
  assert.equal((await call('POST', whip, { as: tokens.member, ...offer })).status, 403);
  assert.equal((await call('DELETE', whip, { as: tokens.member })).status, 403);
  assert.equal((await call('GET', webRtc.path, { as: tokens.admin })).body.status, 'running');
  assert.equal((await call('DELETE', whip, { as: webRtc.ingest_token })).status, 200);
  assert.equal((await call('GET', webRtc.path, { as: tokens.admin })).body.status, 'ended');
  await call('DELETE', own.path, { as: tokens.admin });
});

test('the ingest token is also taken as a bearer', async () => {
  const own = await create(tokens.admin, 'websocket');
  const bearer = { authorization: `Bearer ${own.ingest_token}` };
  await using pusher = await openPusher(onPort(own.ingest_url, port), bearer);
  pusher.start('mjpeg', 160, 90);
  pusher.end();
  assert.equal((await pusher.closed).code, 1000);
});

test('whoever asks for what comes after the end of a session is told at once', async () => {
  const own = await create(tokens.admin, 'websocket');
  const nothing = Object.fromEntries(categories.map((each) => [each, 'none']));
  assert.deepEqual((await call('GET', own.path, { as: tokens.admin })).body.coverage, nothing);
  const { body } = await call('DELETE', own.path, { as: tokens.admin });
  assert.deepEqual(body.coverage, nothing);
  const replayed = await listenTo(onPort(own.websocket_url, port));
  const summary = await replayed.wait(({ type }) => type === 'summary');
  assert.deepEqual(summary.coverage, nothing);
  assert.deepEqual(summary.probs, Object.fromEntries(categories.map((each) => [each, 0])));
  assert.deepEqual(summary.categories, Object.fromEntries(categories.map((each) => [each, false])));
  const late = await listenTo(`${onPort(own.websocket_url, port)}&after=${body.events}`);
  assert.equal(await late.closed, 1000);
  const feed = await call('GET', `${own.path}/feed?after=${body.events}`, { as: tokens.admin });
  assert.doesNotMatch(String(feed.body), /data:/);
});
