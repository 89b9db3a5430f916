import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const draft = (body: object, as: string | undefined = tokens.member) =>
  call('POST', '/api/v1/policies/rules/draft', { as, body });

test('a draft says what was understood, what was not, and which rule comes of it', async () => {
  const { status, body } = await draft({ text: 'Never delete production backups or logs.' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.understood, 'partly');
  assert.deepEqual(body.unread, ['production', 'backups']);
  assert.equal(body.rule.on_missing, 'deny');
  assert.ok(body.rule.when);
  const { body: again } = await draft({ text: body.canonical });
  assert.deepEqual([again.rule, again.understood, again.unread], [body.rule, 'fully', []]);
});

test('what is not understood has no rule, and an empty text is refused', async () => {
  const { body } = await draft({ text: 'Sing a cheerful tune of the old sea.' });
  assert.deepEqual([body.rule, body.canonical, body.understood], [null, null, 'not']);
  assert.equal((await draft({})).status, 400);
  assert.equal((await draft({ text: 'x'.repeat(2001) })).status, 422);
});
