import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { password } from '#identity/test-people.ts';
import { builtInGroup, openTestService, type TestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());

interface Event {
  id: string;
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- entries of the log, looked into freely.
  data: any;
}

/** Reads server-sent events over a real connection. */
async function readStream(of: TestService, query: string, as: string, headers: Record<string, string> = {}) {
  if (!of.guard.app.server.listening) await of.guard.app.listen({ host: '127.0.0.1', port: 0 });
  const address = of.guard.app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/queries/stream${query}`, {
    headers: { authorization: `Bearer ${as}`, ...headers },
    signal: abort.signal,
  });
  const events: Event[] = [];
  let wake = () => {};
  let rest = '';
  const reading = (async () => {
    if (response.body === null) return;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const fields = Object.fromEntries(
          part.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]),
        );
        if (fields['data'] !== undefined)
          events.push({
            id: fields['id'] ?? '',
            event: fields['event'] ?? '',
            data: JSON.parse(fields['data']),
          });
      }
      wake();
    }
  })().catch(() => undefined);
  return {
    response,
    events,
    reading,
    close: () => abort.abort(),
    /** Resolves after this many events. */
    async until(count: number) {
      while (events.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return events;
    },
  };
}

const makeGuard = async (of: TestService, as: string) => {
  const body = { name: 'Live', policy_group_uuids: [builtInGroup], settings: { log_requests: true } };
  return (await of.call('POST', '/api/guards', { as, body })).body.guard_uuid as string;
};
const judge = (of: TestService, guard: string, text: string) =>
  of.call('POST', '/api/topic_guard', { key: of.keys.admin, body: { text, guard_uuid: guard } });

test('entries arrive as they happen, also from other processes, and a reader resumes after the last one received', async () => {
  const { tokens } = service;
  const other = await openTestService({ db: service.db });
  after(() => other[Symbol.asyncDispose]());
  const guard = await makeGuard(service, tokens.admin);
  const elsewhere = await makeGuard(service, tokens.admin);
  const stream = await readStream(service, `?guard_uuid=${guard}`, tokens.admin);
  assert.equal(stream.response.status, 200);
  assert.match(String(stream.response.headers.get('content-type')), /^text\/event-stream/);
  await judge(service, guard, 'one');
  await judge(service, elsewhere, 'not this');
  await stream.until(1);
  await judge(other, guard, 'two');
  const [one, two] = await stream.until(2);
  assert.deepEqual([one!.data.text, two!.data.text], ['one', 'two']);
  assert.equal(one!.id, one!.data.query_id);
  stream.close();

  await judge(service, guard, 'three');
  const again = await readStream(service, `?guard_uuid=${guard}`, tokens.admin, { 'last-event-id': two!.id });
  await judge(service, guard, 'four');
  await again.until(2);
  while (!again.events.some(({ data }) => data.text === 'four')) await again.until(again.events.length + 1);
  const texts = again.events.map(({ data }) => data.text);
  assert.ok(texts.includes('three'));
  assert.equal(new Set(again.events.map(({ id }) => id)).size, texts.length);
  again.close();
});

test('readers receive only entries they may see', async () => {
  const { tokens } = service;
  const guard = await makeGuard(service, tokens.admin);
  const own = await makeGuard(service, tokens.member);
  const stream = await readStream(service, '', tokens.member);
  await judge(service, guard, 'the administrator’s');
  await judge(service, own, 'the member’s');
  const [first] = await stream.until(1);
  assert.equal(first!.data.text, 'the member’s');
  stream.close();
  assert.equal((await readStream(service, '', 'no token')).response.status, 401);
  const wrong = await readStream(service, '?last_event_id=1', tokens.member);
  assert.equal(wrong.response.status, 422);
});

test('streams end when the service stops', async () => {
  const own = await openTestService({ db: service.db });
  const stream = await readStream(own, '', own.tokens.admin);
  await own[Symbol.asyncDispose]();
  await stream.reading;
  assert.equal(stream.response.status, 200);
});

test('a stream ends when its reader is deleted or loses a role', async () => {
  const { call, tokens } = service;
  const readerNamed = async (username: string) => {
    const { body } = await call('POST', '/auth/register', {
      as: tokens.admin,
      body: { username, password, tenant_name: 'system', roles: ['admin'] },
    });
    const login = await call('POST', '/auth/login', {
      body: { username, password, tenant_name: 'system' },
    });
    const stream = await readStream(service, '', login.body.access_token);
    assert.equal(stream.response.status, 200);
    return { id: body.id as string, stream };
  };
  const demoted = await readerNamed('demoted');
  const deleted = await readerNamed('deleted');
  const staying = await readStream(service, '', tokens.admin);
  const guard = await makeGuard(service, tokens.admin);
  await call('PATCH', `/auth/users/${demoted.id}`, { as: tokens.admin, body: { roles: ['member'] } });
  await call('DELETE', `/auth/users/${deleted.id}`, { as: tokens.admin });
  await demoted.stream.reading;
  await deleted.stream.reading;
  await judge(service, guard, 'later');
  await staying.until(1);
  assert.deepEqual([demoted.stream.events, deleted.stream.events], [[], []]);
  staying.close();
});
