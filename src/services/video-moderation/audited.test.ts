/** Who changes what videos are judged by is in the audit trail. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { walkAuditedOperations } from '../../../test/fixtures/audited-operations.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const walk = await walkAuditedOperations(service.call, service.tokens.admin);
const { change } = walk;

test('deployments: each category and detector with what it was and is', async () => {
  const path = '/api/videomoderation/deployments';
  const own = { id: 'gambling', threshold: 0.5, description: 'Betting and slot machines' };
  const made = await change('POST', path, { body: { name: 'Uploads', categories: [own] } });
  assert.deepEqual([made.event, made.details.name], ['video_deployment_created', 'Uploads']);
  const one = `${path}/${made.body.deployment_id}`;
  const body = { name: 'Uploads', categories: [{ ...own, threshold: 0.95 }] };
  const updated = await change('PUT', one, { body });
  const told = { threshold: own.threshold, description: own.description };
  assert.deepEqual(Object.keys(updated.details.changes ?? {}), ['category gambling']);
  const { old: was, new: is } = updated.details.changes?.['category gambling'] ?? {};
  assert.deepEqual(JSON.parse(String(was)), told);
  assert.deepEqual(JSON.parse(String(is)), { ...told, threshold: 0.95 });
  const deleted = await change('DELETE', one);
  assert.deepEqual([deleted.event, deleted.details.name], ['video_deployment_deleted', 'Uploads']);
});

test('every changing operation is recorded, or here is why it is not', () => {
  const judges = 'Judges a video, recorded or live, by what a deployment says.';
  walk.assertComplete({
    moderateVideo: judges,
    watchVideo: judges,
    uploadVideo: 'A file to be judged, which is gone afterwards.',
    createStream: judges,
    deleteStream: judges,
    publishWebRtc: judges,
    endWebRtc: judges,
    testDetector: judges,
  });
});
