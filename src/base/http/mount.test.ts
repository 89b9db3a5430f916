import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { queryBoolean, queryInteger, storedText, unitInterval } from '../contract/fields.ts';
import { createClient } from '../contract/client.ts';
import { defineOperation } from '../contract/operation.ts';
import { AppError, conflict } from '../errors.ts';
import { createLog } from '../log/log.ts';
import { listen } from './listen.ts';
import { mount } from './mount.ts';
import { createHttpServer } from './server.ts';

const shelf = { tag: 'shelf', access: 'public' } as const;
const operations = {
  putBook: defineOperation({
    ...shelf,
    method: 'POST',
    path: '/shelves/{shelf_id}/books',
    summary: 'Put a book on a shelf',
    params: z.object({ shelf_id: z.string() }),
    query: z.object({ limit: queryInteger({ min: 1, max: 10, preset: 3 }), loud: queryBoolean(false) }),
    body: z.object({
      title: storedText({ min: 1, max: 20 }),
      weight: unitInterval().default(0.5),
      kind: z.enum(['paper', 'cloth']).default('paper'),
      pages: z
        .array(z.object({ text: z.string() }))
        .max(2)
        .default([]),
    }),
    status: 201,
    response: z.object({ shelf: z.string(), title: z.string(), weight: z.number(), limit: z.number() }),
  }),
  leak: defineOperation({
    ...shelf,
    method: 'GET',
    path: '/leak',
    summary: 'Answers more than it declares',
    response: z.object({ open: z.string(), inner: z.object({ open: z.string() }) }),
  }),
  fail: defineOperation({
    ...shelf,
    method: 'GET',
    path: '/fail/{how}',
    summary: 'Fails',
    params: z.object({ how: z.string() }),
    response: z.object({}),
  }),
  byName: defineOperation({
    ...shelf,
    method: 'GET',
    path: '/shelves/{shelf_id}/by-name/{name}',
    takesRestOfPath: true,
    summary: 'A book by its name, which may have slashes',
    params: z.object({ shelf_id: z.string(), name: z.string().min(1) }),
    response: z.object({ shelf: z.string(), name: z.string() }),
  }),
  signedIn: defineOperation({
    ...shelf,
    access: 'jwt',
    method: 'POST',
    path: '/signed-in',
    summary: 'Only for those who sign in',
    body: z.object({}),
    response: z.object({ name: z.string() }),
  }),
};

const build = (strictAnswers = false) => {
  const app = createHttpServer({
    service: 'test',
    log: createLog({ level: 'silent' }),
    bodyLimitBytes: 2048,
  });
  mount<typeof operations, string>(
    app,
    operations,
    {
      putBook: ({ params, query, body }) => ({ shelf: params.shelf_id, limit: query.limit, ...body }),
      leak: () => ({ open: 'a', secret_hash: 'b', inner: { open: 'c', secret: 'd' } }),
      fail: ({ params }) => {
        if (params.how === 'conflict') throw conflict('The shelf is full.');
        throw new Error('a secret of the inside');
      },
      byName: ({ params }) => ({ shelf: params.shelf_id, name: params.name }),
      signedIn: ({ caller }) => ({ name: caller }),
    },
    {
      strictAnswers,
      authenticate: (operation, headers) => {
        if (operation.access === 'public') return Promise.resolve(undefined);
        if (headers.authorization === undefined)
          throw new AppError(401, 'missing_auth', 'Sign in.', { headers: { 'www-authenticate': 'Bearer' } });
        return Promise.resolve(headers.authorization);
      },
    },
  );
  return app;
};

const app = build();
after(() => app.close());

const post = (body: unknown, url = '/shelves/s1/books') =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('handlers receive validated input with defaults; undeclared request fields are ignored', async () => {
  const response = await post({ title: 'Emma', colour: 'red' }, '/shelves/s%201/books?limit=7&loud=');
  assert.equal(response.statusCode, 201);
  assert.deepEqual(response.json(), { shelf: 's 1', title: 'Emma', weight: 0.5, limit: 7 });
  assert.match(String(response.headers['x-request-id']), /^[0-9a-f-]{36}$/);
});

test('the last parameter takes the rest of a path where its operation says so', async () => {
  for (const name of ['austen/emma', 'austen%2Femma']) {
    const url = `/shelves/s1/by-name/${name}`;
    const response = await app.inject({ method: 'GET', url });
    assert.deepEqual(response.json(), { shelf: 's1', name: 'austen/emma' });
    assert.equal((await app.inject({ method: 'DELETE', url })).statusCode, 405);
  }
  assert.equal((await app.inject({ method: 'GET', url: '/shelves/s1/by-name/' })).statusCode, 422);
});

test('each invalid input is refused with its status and a sentence that names the field', async () => {
  for (const [body, status, detail] of [
    [{}, 400, "'title' is required."],
    [{ title: '' }, 422, "'title' must have at least 1 character."],
    [{ title: 'x'.repeat(21) }, 422, "'title' must have at most 20 characters."],
    [{ title: 7 }, 422, "'title' must be a string."],
    [{ title: 'a\u0000b' }, 422, "'title' must not contain NUL characters or unpaired surrogates."],
    [{ title: '\ud800' }, 422, "'title' must not contain NUL characters or unpaired surrogates."],
    [{ title: 'a', weight: 2 }, 422, "'weight' must be at most 1."],
    [{ title: 'a', weight: '1' }, 422, "'weight' must be a number."],
    [{ title: 'a', kind: 'stone' }, 422, '\'kind\' must be one of "paper", "cloth".'],
    [{ title: 'a', pages: [{}] }, 400, "'pages[0].text' is required."],
    [
      { title: 'a', pages: [{ text: '' }, { text: '' }, { text: '' }] },
      422,
      "'pages' must have at most 2 items.",
    ],
    [[], 422, 'The body must be an object.'],
    ['null', 422, 'The body must be an object.'],
    ['', 400, 'The request needs a JSON body, with the header Content-Type: application/json.'],
  ] as const) {
    const response = await post(body);
    assert.equal(response.statusCode, status, JSON.stringify(body));
    assert.deepEqual(response.json(), { detail });
  }
  assert.equal((await post({ title: 'a' }, '/shelves/s/books?limit=11')).statusCode, 422);
  assert.equal((await post({ title: 'a' }, '/shelves/s/books?limit=two')).statusCode, 422);
});

test('malformed, oversized and unsupported requests are refused before they are handled', async () => {
  const broken = await post('{"title": ');
  assert.equal(broken.statusCode, 400);
  assert.match(broken.json<{ detail: string }>().detail, /^The request body is not valid JSON/);
  assert.equal((await post('{"title":"a","__proto__":{"weight":1}}')).statusCode, 400);
  const large = await post({ title: 'x'.repeat(3000) });
  assert.equal(large.statusCode, 413);
  assert.match(large.json<{ detail: string }>().detail, /larger than [\d.]+ MiB/);
  const long = await app.inject({ url: `/fail/${'a'.repeat(300)}` });
  assert.equal(long.statusCode, 404);
  assert.doesNotMatch(long.body, /aaa/);
  const text = await app.inject({
    method: 'POST',
    url: '/shelves/s/books',
    headers: { 'content-type': 'text/plain' },
    payload: 'a',
  });
  assert.equal(text.statusCode, 415);
  const wrong = await app.inject({ method: 'DELETE', url: '/shelves/s/books' });
  assert.equal(wrong.statusCode, 405);
  assert.equal(wrong.headers['allow'], 'POST');
  assert.deepEqual((await app.inject({ url: '/%zz' })).json(), {
    detail: 'The request URL cannot be decoded.',
  });
  assert.equal((await app.inject({ url: '/nowhere?token=secret' })).statusCode, 404);
  assert.doesNotMatch((await app.inject({ url: '/nowhere?token=secret' })).body, /secret/);
});

test('an unauthenticated caller is refused before the body is read', async () => {
  const response = await app.inject({
    method: 'POST',
    url: '/signed-in',
    headers: { 'content-type': 'application/json' },
    payload: '{broken',
  });
  assert.equal(response.statusCode, 401);
  assert.equal(response.headers['www-authenticate'], 'Bearer');
});

test('undeclared response fields are removed, and are an error in tests', async () => {
  assert.deepEqual((await app.inject('/leak')).json(), { open: 'a', inner: { open: 'c' } });
  const strict = build(true);
  assert.equal((await strict.inject('/leak')).statusCode, 500);
  await strict.close();
});

test('an internal error returns a request id and no internal details', async () => {
  assert.deepEqual((await app.inject('/fail/conflict')).json(), { detail: 'The shelf is full.' });
  const response = await app.inject('/fail/hard');
  assert.equal(response.statusCode, 500);
  assert.equal(response.json<{ request_id: string }>().request_id, response.headers['x-request-id']);
  assert.doesNotMatch(response.body, /inside/);
});

test('the typed client sends requests, reads responses and reports refusals', async () => {
  const live = build();
  const url = await listen(live, { service: 'test', host: '127.0.0.1', port: 0, portSetting: 'PORT' });
  const client = createClient(operations, { baseUrl: url, headers: () => ({ authorization: 'me' }) });
  const put = await client.putBook({
    params: { shelf_id: 'a/b' },
    body: { title: 'Emma' },
    query: { limit: 2 },
  });
  assert.deepEqual(put, { shelf: 'a/b', title: 'Emma', weight: 0.5, limit: 2 });
  assert.deepEqual(await client.signedIn({ body: {} }), { name: 'me' });
  await assert.rejects(client.fail({ params: { how: 'conflict' } }), {
    status: 409,
    message: 'The shelf is full.',
  });
  await live.close();
  await assert.rejects(client.signedIn({ body: {} }), { status: 503, code: 'unreachable' });
});

test('a port in use is named together with the setting that changes it', async () => {
  const first = build();
  const url = await listen(first, {
    service: 'test',
    host: '127.0.0.1',
    port: 0,
    portSetting: 'BULWARK_PORT_X',
  });
  const second = build();
  const port = Number(new URL(url).port);
  await assert.rejects(
    listen(second, { service: 'test', host: '127.0.0.1', port, portSetting: 'BULWARK_PORT_X' }),
    {
      name: 'StartupError',
      message: new RegExp(`Port ${port} .*BULWARK_PORT_X`),
    },
  );
  await Promise.all([first.close(), second.close()]);
});
