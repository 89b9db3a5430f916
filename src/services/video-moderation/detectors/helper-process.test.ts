import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#base/errors.ts';
import { HelperProcess } from './helper-process.ts';

const open = () =>
  new HelperProcess<string, string>(
    new URL('../fixtures/repeating-process.ts', import.meta.url),
    (why) => new AppError(503, 'failed', why),
  );

test('questions are answered, and one that fails does not stop the others', async () => {
  using helper = open();
  const answers = await Promise.allSettled(['a', 'fail', 'b'].map((question) => helper.ask(question)));
  assert.deepEqual(
    answers.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason.detail))),
    ['a, a', 'Error: no such word', 'b, b'],
  );
  assert.equal(helper.waiting, 0);
});

test('a question whose signal aborts is given up', async () => {
  using helper = open();
  const controller = new AbortController();
  const asked = helper.ask('wait', controller.signal);
  controller.abort(new Error('enough'));
  await assert.rejects(asked, /enough/);
  assert.equal(await helper.ask('a'), 'a, a');
});

test('the end of the process fails what is under way and what comes later', async () => {
  using helper = open();
  const asked = helper.ask('wait');
  await assert.rejects(helper.ask('end'), { status: 503 });
  await assert.rejects(asked, { status: 503 });
  assert.equal(helper.hasEnded, true);
  await assert.rejects(helper.ask('a'), { status: 503 });
});
