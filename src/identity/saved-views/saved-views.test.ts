/** Saved views of the dashboard: for their owner, or shared in the tenant. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mostSavedViews } from '../contract/saved-views.ts';
import { openTestIdentity } from '../testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser } = server;
const { access_token: root } = await login();
await call('/auth/tenants', { token: root, body: { name: 'acme' } });
const { token: chief } = await addUser('chief', 'acme', ['admin']);
const { token: worker, id: workerId } = await addUser('worker', 'acme');
const { token: colleague } = await addUser('colleague', 'acme');

const path = '/auth/saved-views';
const flagged = { place: '/activity', name: 'Flagged', search: { outcome: 'stopped', hours: '168' } };
const save = (token: string, view: object) => call(path, { token, body: view });
const change = (token: string, id: string, body: object) =>
  call(`${path}/${id}`, { method: 'PATCH', token, body });
const remove = (token: string, id: string) => call(`${path}/${id}`, { method: 'DELETE', token });
const names = async (token: string, query = ''): Promise<string[]> => {
  const { status, body } = await call(`${path}${query}`, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body.views.map(({ name }: { name: string }) => name);
};

test('a view is saved, renamed, changed and deleted by its owner, and nobody else sees it', async () => {
  const { status, body } = await save(worker, flagged);
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body.search, flagged.search);
  assert.deepEqual([body.visibility, body.owner_name], ['private', 'worker']);
  assert.deepEqual(await names(worker, '?place=/activity'), ['Flagged']);
  assert.deepEqual(await names(worker, '?place=/queries'), []);
  for (const other of [colleague, chief, root]) {
    assert.deepEqual(await names(other), []);
    assert.equal((await change(other, body.view_id, { name: 'Mine' })).status, 404);
    assert.equal((await remove(other, body.view_id)).status, 404);
  }
  const renamed = await change(worker, body.view_id, { name: ' Stopped ', search: {} });
  assert.deepEqual([renamed.body.name, renamed.body.search], ['Stopped', {}]);
  assert.equal((await remove(worker, body.view_id)).status, 200);
  assert.deepEqual(await names(worker), []);
  assert.equal((await call(path)).status, 401);
});

test('a shared view is seen in its tenant alone; its owner changes it, an administrator may delete it', async () => {
  const { body } = await save(worker, { ...flagged, visibility: 'tenant' });
  assert.deepEqual(await names(colleague), ['Flagged']);
  assert.deepEqual(await names(root), [], 'another tenant');
  assert.equal((await change(colleague, body.view_id, { name: 'x' })).status, 403);
  assert.equal((await change(chief, body.view_id, { name: 'x' })).status, 403);
  assert.equal((await remove(colleague, body.view_id)).status, 403);
  assert.equal((await remove(root, body.view_id)).status, 404);
  await change(worker, body.view_id, { visibility: 'private' });
  assert.deepEqual(await names(colleague), []);
  assert.equal((await remove(chief, body.view_id)).status, 404, 'it is private again');
  await change(worker, body.view_id, { visibility: 'tenant' });
  assert.equal((await remove(chief, body.view_id)).status, 200);
  assert.deepEqual(await names(worker), []);
});

test('a name is taken once on a page, and there is a most, also where many come at once', async () => {
  const many = Array.from({ length: mostSavedViews + 5 }, (_, i) =>
    save(colleague, { ...flagged, name: `View ${i}` }),
  );
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, mostSavedViews);
  assert.equal(statuses.filter((status) => status === 409).length, 5);
  const [first, second] = (await call(path, { token: colleague })).body.views;
  const clash = await change(colleague, first.view_id, { name: second.name });
  assert.equal(clash.status, 409);
  assert.match(clash.body.detail, /another name/);
  assert.equal((await save(worker, { ...flagged, name: first.name })).status, 201, 'of another user');
  assert.equal((await save(worker, { ...flagged, name: first.name })).status, 409);
  assert.equal((await save(worker, { ...flagged, name: first.name, place: '/queries' })).status, 201);
});

test('input that is no view of the dashboard is refused by its field', async () => {
  const wrong: [object, RegExp][] = [
    [{ place: 'https://elsewhere.example/' }, /place/],
    [{ place: '//elsewhere.example' }, /place/],
    [{ name: '   ' }, /name/],
    [{ name: 'x'.repeat(61) }, /name/],
    [{ name: 'a\u0000b' }, /name/],
    [{ search: { 'a b': 'x' } }, /search/],
    [{ search: { hours: 'x'.repeat(501) } }, /search/],
    [
      { search: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${'b'.repeat(i)}`, 'x'])) },
      /search/,
    ],
    [{ visibility: 'everybody' }, /visibility/],
  ];
  for (const [part, field] of wrong) {
    const { status, body } = await save(worker, { ...flagged, ...part });
    assert.equal(status, 422, JSON.stringify(part));
    assert.match(JSON.stringify(body), field);
  }
});

test('the views of a deleted user go with them', async () => {
  await save(worker, { ...flagged, name: 'Of the worker', visibility: 'tenant' });
  assert.ok((await names(chief)).includes('Of the worker'));
  const gone = await call(`/auth/users/${workerId}`, { method: 'DELETE', token: chief });
  assert.equal(gone.status, 200, JSON.stringify(gone.body));
  assert.ok(!(await names(chief)).includes('Of the worker'));
});
