/** What deployments refer to is checked when they are saved. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({ BULWARK_VIDEO_MODERATION_MODELS_FOLDER: '/nonexistent' });
after(() => service[Symbol.asyncDispose]());
const { call, callGuard, tokens } = service;
const path = '/api/videomoderation/deployments';

const guardOf = async (as: string): Promise<string> =>
  (await callGuard('POST', '/api/guards', { as, body: { name: 'Words' } })).body.guard_uuid;

test('a guard must be one that the caller may use', async () => {
  const save = (guard: string, name: string) =>
    call('POST', path, { as: tokens.admin, body: { name, detectors: { text: { guard_uuid: guard } } } });
  for (const guard of [await guardOf(tokens.stranger), 'nonsense']) {
    const { status, body } = await save(guard, 'Foreign');
    assert.equal(status, 404, guard);
    assert.match(body.detail, /'detectors\.text\.guard_uuid'/);
  }
  const own = await guardOf(tokens.admin);
  const { status, body } = await save(own, 'Own');
  assert.equal(status, 201, JSON.stringify(body));

  const change = (fields: object) =>
    call('PUT', `${path}/${body.deployment_id}`, { as: tokens.admin, body: fields });
  const foreign = { name: 'Own', detectors: { text: { guard_uuid: await guardOf(tokens.stranger) } } };
  assert.equal((await change(foreign)).status, 404);
  // A guard that was deleted since keeps nobody from other changes.
  assert.equal((await callGuard('DELETE', `/api/guards/${own}`, { as: tokens.admin })).status, 200);
  const renamed = await change({ name: 'Renamed', detectors: { text: { guard_uuid: own } } });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
});

test('a model of one’s own must be a folder that is there', async () => {
  for (const model of ['../../../../etc', '.hidden', 'missing']) {
    const { status, body } = await call('POST', path, {
      as: tokens.admin,
      body: { name: model, detectors: { onnx: { model } } },
    });
    assert.equal(status, 422, model);
    assert.match(body.detail, /model/);
  }
});
