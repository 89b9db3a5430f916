/** `kill -9` while runs are executed: each continues from its checkpoint and ends once, on both databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestDatabase } from '#base/db/testing.ts';
import { endsOf, observe, owner, poison, startWorker, unitsOf, upTo } from './run-kinds.ts';

const leaseMs = 1_500;

test('runs survive kill -9 with their saved checkpoint', { timeout: 120_000 }, async () => {
  await using database = await makeTestDatabase();
  const ids: string[] = [];
  {
    await using observed = await observe(database.settings);
    for (let i = 0; i < 4; i++) ids.push(await observed.kind.start(owner, { units: 8, unitMs: 15 }));
  }
  {
    await using worker = startWorker(database.settings, leaseMs);
    await worker.noted('unit', 11);
    worker.kill('SIGKILL');
    await worker.gone;
  }
  await startWorker(database.settings, leaseMs, 'until-idle').gone;
  await using observed = await observe(database.settings);
  let crashes = 0;
  for (const id of ids) {
    const run = await observed.kind.find(id, owner);
    assert.equal(run?.status, 'completed');
    assert.deepEqual(await unitsOf(observed, id), upTo(8), 'each unit once, in order');
    assert.equal(await endsOf(observed, id), 1);
    crashes += run.crashes;
  }
  // It may have been killed between two runs.
  assert.ok(crashes <= 1, `${crashes} runs were interrupted`);
});

test('a run that kills its process ends as failed, with the reason', { timeout: 120_000 }, async () => {
  await using database = await makeTestDatabase();
  let id = '';
  {
    await using observed = await observe(database.settings);
    const kind = observed.runs.define(poison.kind, poison.options, async () => ({ failed: 'not here' }));
    id = await kind.start(owner, {});
  }
  for (let crash = 1; crash <= 2; crash++) {
    await using worker = startWorker(database.settings, 500);
    await worker.noted('began');
    await worker.gone;
  }
  await using observed = await observe(database.settings);
  const kind = observed.runs.define(poison.kind, poison.options, async () => ({ completed: 'never' }));
  await observed.runs.start();
  for await (const _ of kind.watch(id, {}, AbortSignal.timeout(20_000)));
  const run = await kind.find(id, owner);
  assert.deepEqual([run?.status, run?.crashes, run?.error?.code], ['failed', 2, 'crashed']);
  assert.match(run?.error?.message ?? '', /interrupted 2 times .* not tried again/);
});
