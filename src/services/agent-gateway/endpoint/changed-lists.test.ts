import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkChangedLists } from '../../../../test/fixtures/changed-lists.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());

test('changed tools are shown and pinned soon, and names stay with the server that had them first', async (context) => {
  const waits = await checkChangedLists({
    urls: [service.url],
    token: service.tokens.admin,
    async call(_, method, path, body) {
      const sent = { as: service.tokens.admin, ...(body !== undefined && { body }) };
      const answer = await service.call(method as 'GET', path, sent);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    },
  });
  context.diagnostic(waits.join('; '));
});
