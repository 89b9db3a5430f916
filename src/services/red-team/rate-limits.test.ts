/** What counts against the limit of requests, besides the API. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from './fixtures/service.ts';

const limited = await openTestService({ BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: '4' });
after(() => limited[Symbol.asyncDispose]());
const { tokens } = limited;

test('the pool manager counts for the service', async () => {
  const as = tokens.member;
  for (let i = 0; i < 3; i += 1)
    assert.equal((await limited.callPool('GET', '/environments', { as })).status, 200);
  assert.equal((await limited.call('GET', '/api/agents', { as })).status, 200);
  assert.equal((await limited.callPool('GET', '/environments', { as })).status, 429);
  assert.equal((await limited.callPool('GET', '/health')).status, 200);
});
