import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { openTestDatabase } from '../../db/testing.ts';
import { createLog } from '../../log/log.ts';
import { openOutbound } from '../../net/outbound.ts';
import { openVault } from '../../secrets/vault.ts';
import { shiftedClock } from '../../shifted-clock.ts';
import { eventMigrations } from '../migrations.ts';
import { pauseAfter, readRetryAfter } from './retry.ts';
import { startWebhookSender } from './sender.ts';
import { isWebhookSecret, newWebhookSecret } from './signature.ts';
import { Webhooks } from './webhooks.ts';

const db = await openTestDatabase([eventMigrations]);
const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-webhooks-'));
after(async () => {
  await db[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});
const vault = await openVault({ secretKey: undefined, dataDir });
const clock = shiftedClock();
const log = createLog({ level: 'silent' });
const outbound = openOutbound({ environment: 'development', allowPrivateNetwork: [] });
after(() => outbound[Symbol.asyncDispose]());
const webhooks = new Webhooks({ db, clock, vault, outbound, mostWaiting: 5 });
const retries = { attempts: 4, firstPauseMs: 10, longestPauseMs: 20 };
const start = () => startWebhookSender({ db, clock, log, vault, outbound, retries });

interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver; `answer` returns the response to the nth request. */
async function receive(answer: (got: Got, count: number) => { status: number; headers?: object }) {
  const got: Got[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const each = { headers: request.headers, body };
      got.push(each);
      const { status, headers = {} } = answer(each, got.length);
      response.writeHead(status, { ...headers }).end('x'.repeat(100_000));
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`,
    got,
    async until(count: number) {
      while (got.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

/** Waits until no message is pending for the destination. */
async function settled(destinationId: string) {
  while ((await webhooks.find(destinationId))!.waiting > 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return webhooks.deliveries(destinationId, 100);
}

const dataOf = (got: Got[]) => got.map(({ body }) => (JSON.parse(body) as { n: number }).n);

test('messages queued before a start are delivered after it, signed, once and in order, by any process', async () => {
  const receiver = await receive(() => ({ status: 204 }));
  const { destinationId, secret } = await webhooks.add({ owner: 'stream', url: receiver.url });
  for (const n of [1, 2, 3]) await webhooks.send(destinationId, { n }, { messageId: `msg_${n}` });
  await webhooks.send(destinationId, { n: 3 }, { messageId: 'msg_3' });
  await using _one = await start();
  await using _two = await start();
  await Promise.all([4, 5].map((n) => db.transaction((tx) => webhooks.send(destinationId, { n }, { tx }))));
  await assert.rejects(
    db.transaction(async (tx) => {
      await webhooks.send(destinationId, { n: 99 }, { tx });
      throw new Error('undone');
    }),
    /undone/,
  );
  const log = await settled(destinationId);
  assert.deepEqual(dataOf(receiver.got).slice(0, 3), [1, 2, 3]);
  assert.deepEqual(
    dataOf(receiver.got).toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5],
  );
  const receiving = new Webhook(secret);
  for (const { headers, body } of receiver.got) receiving.verify(body, headers as Record<string, string>);
  assert.equal(receiver.got[0]!.headers['webhook-id'], 'msg_1');
  assert.ok(
    log.every(
      ({ status, attempts, log: [only] }) => status === 'delivered' && attempts === 1 && only!.status === 204,
    ),
  );
});

test('a failed message is retried before the next one is sent, and ends as dead with a reason', async () => {
  const receiver = await receive((_, count) => ({ status: count <= 2 || count > 3 ? 500 : 200 }));
  const { destinationId } = await webhooks.add({ owner: 'stream', url: receiver.url });
  await using _ = await start();
  await webhooks.send(destinationId, { n: 1 });
  await webhooks.send(destinationId, { n: 2 });
  const [second, first] = await settled(destinationId);
  assert.deepEqual(dataOf(receiver.got), [1, 1, 1, 2, 2, 2, 2]);
  const times = new Set(receiver.got.map(({ headers }) => headers['webhook-id']));
  assert.equal(times.size, 2);
  assert.deepEqual([first!.status, first!.attempts], ['delivered', 3]);
  assert.deepEqual([second!.status, second!.attempts], ['dead', 4]);
  assert.match(second!.reason!, /tried 4 times.*status 500/);
  assert.deepEqual(
    second!.log.map(({ status }) => status),
    [500, 500, 500, 500],
  );
});

test('a receiver that responds 410 Gone is disabled until it is enabled again', async () => {
  let isGone = true;
  const receiver = await receive(() => ({ status: isGone ? 410 : 200 }));
  const { destinationId } = await webhooks.add({ owner: 'stream', url: receiver.url });
  for (const n of [1, 2]) await webhooks.send(destinationId, { n });
  await using _ = await start();
  await settled(destinationId);
  await webhooks.send(destinationId, { n: 3 });
  const dead = await webhooks.deliveries(destinationId, 10);
  assert.ok(dead.every(({ status, reason }) => status === 'dead' && reason!.includes('410')));
  assert.equal(receiver.got.length, 1);
  isGone = false;
  await webhooks.enable(destinationId);
  await webhooks.send(destinationId, { n: 4 });
  await settled(destinationId);
  assert.deepEqual(dataOf(receiver.got), [1, 4]);
});

test('redirects are not followed, and private addresses are never called', async () => {
  const inside = await receive(() => ({ status: 200 }));
  const receiver = await receive(() => ({ status: 307, headers: { location: inside.url } }));
  const { destinationId } = await webhooks.add({ owner: 'stream', url: receiver.url });
  await using _ = await start();
  await webhooks.send(destinationId, { n: 1 });
  const [only] = await settled(destinationId);
  assert.match(only!.reason!, /status 307/);
  assert.equal(inside.got.length, 0);
  for (const url of ['http://169.254.169.254/', 'http://10.0.0.1/', 'file:///etc/passwd'])
    await assert.rejects(webhooks.add({ owner: 'stream', url }), { status: 422 });

  await using production = openOutbound({ environment: 'production', allowPrivateNetwork: [] });
  await using _guarded = await startWebhookSender({ db, clock, log, vault, outbound: production, retries });
  await _[Symbol.asyncDispose]();
  const { destinationId: local } = await webhooks.add({ owner: 'stream', url: inside.url });
  await webhooks.send(local, { n: 1 });
  const [refused] = await settled(local);
  assert.match(refused!.reason!, /private or reserved address/);
  assert.equal(inside.got.length, 0);
});

test('during rotation both secrets sign; afterwards the old one does not', async () => {
  const receiver = await receive(() => ({ status: 200 }));
  const { destinationId, secret: old } = await webhooks.add({ owner: 'key', url: receiver.url });
  await using _ = await start();
  const fresh = await webhooks.rotate(destinationId, 60_000);
  await webhooks.send(destinationId, { n: 1 });
  await settled(destinationId);
  const verify = (secret: string, { body, headers }: Got) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);
  for (const secret of [old, fresh]) verify(secret, receiver.got[0]!);
  const [row] = await db.query<{ secrets: Buffer }>(
    'select secrets from events.webhook_destinations where destination_id = $1',
    [destinationId],
  );
  assert.ok(!row!.secrets.toString('latin1').includes(fresh));
  clock.advance(61_000);
  await webhooks.send(destinationId, { n: 2 });
  await settled(destinationId);
  const after = receiver.got[1]!;
  assert.equal(String(after.headers['webhook-signature']).split(' ').length, 1);
  await assert.rejects(webhooks.add({ owner: 'key', url: receiver.url, secret: 'whsec_c2hvcnQ=' }), {
    status: 422,
  });
  assert.ok(isWebhookSecret(newWebhookSecret()));
});

test('an undecryptable secret stops only its own destination, until the secret is replaced', async () => {
  const receiver = await receive(() => ({ status: 200 }));
  const lost = await webhooks.add({ owner: 'lost', url: receiver.url });
  const whole = await webhooks.add({ owner: 'lost', url: receiver.url });
  // As if it had been encrypted with a lost key.
  await db.query(
    String.raw`update events.webhook_destinations set secrets = '\x01ff'::bytea where destination_id = $1`,
    [lost.destinationId],
  );
  await using _ = await start();
  await webhooks.send(lost.destinationId, { n: 1 });
  await webhooks.send(whole.destinationId, { n: 2 });
  const [refused] = await settled(lost.destinationId);
  assert.equal(refused!.status, 'dead');
  assert.match(refused!.reason!, /secret cannot be decrypted; replace it/);
  assert.equal((await settled(whole.destinationId))[0]!.status, 'delivered');
  await webhooks.rotate(lost.destinationId, 60_000);
  await webhooks.enable(lost.destinationId);
  await webhooks.send(lost.destinationId, { n: 3 });
  await settled(lost.destinationId);
  assert.deepEqual(dataOf(receiver.got), [2, 3], 'nothing was sent without a signature');
});

test('queues are bounded: messages beyond the limit are recorded but not sent, and an oversized message is refused', async () => {
  const receiver = await receive(() => ({ status: 200 }));
  const { destinationId } = await webhooks.add({ owner: 'stream', url: receiver.url });
  for (let n = 0; n < 7; n += 1) await webhooks.send(destinationId, { n });
  const [last] = await webhooks.deliveries(destinationId, 1);
  assert.equal(last!.status, 'dead');
  assert.match(last!.reason!, /full \(5 messages\)/);
  await assert.rejects(webhooks.send(destinationId, { text: 'x'.repeat(300_000) }), { status: 422 });
  await assert.rejects(webhooks.send('0197b2a0-0000-7000-8000-000000000000', {}), { status: 404 });
  await using _ = await start();
  await settled(destinationId);
  assert.deepEqual(dataOf(receiver.got), [0, 1, 2, 3, 4]);
  clock.advance(1000);
  assert.ok((await webhooks.deleteBefore(new Date(clock.now()), 1000)) >= 7);
});

test('when a process dies while sending, another one takes over after its lease', async () => {
  const receiver = await receive(() => ({ status: 200 }));
  const { destinationId } = await webhooks.add({ owner: 'stream', url: receiver.url });
  await webhooks.send(destinationId, { n: 1 });
  await db.query(
    `update events.webhook_destinations set lease = gen_random_uuid(), leased_until = $2 where destination_id = $1`,
    [destinationId, new Date(clock.now() + 60_000)],
  );
  await using _ = await start();
  assert.equal(receiver.got.length, 0);
  clock.advance(61_000);
  await webhooks.send(destinationId, { n: 2 });
  await settled(destinationId);
  assert.deepEqual(dataOf(receiver.got), [1, 2]);
});

test('retry delays grow, vary at random and respect Retry-After, up to one day', () => {
  const policy = { attempts: 10, firstPauseMs: 1000, longestPauseMs: 60_000 };
  for (let i = 0; i < 50; i += 1) {
    const [first, third, ninth] = [1, 3, 9].map((attempt) => pauseAfter(attempt, policy, undefined));
    assert.ok(first! >= 500 && first! <= 1000);
    assert.ok(third! >= 4500 && third! <= 9000);
    assert.ok(ninth! >= 30_000 && ninth! <= 60_000);
  }
  assert.equal(pauseAfter(1, policy, 5000), 5000);
  assert.equal(pauseAfter(1, policy, 1e12), 86_400_000);
  const at = { now: () => Date.parse('2026-01-01T00:00:00Z') };
  assert.equal(readRetryAfter('120', at), 120_000);
  assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:00:10 GMT', at), 10_000);
  assert.equal(readRetryAfter('soon', at), undefined);
});
