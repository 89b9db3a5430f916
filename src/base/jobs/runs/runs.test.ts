import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unavailable } from '#base/errors.ts';
import type { Database } from '../../db/database.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { anna, bert, carl, led, name, processOn, reached } from './fixtures/led-runs.ts';
import { runMigrations } from './migrations.ts';
import type { Run } from './run.ts';
import type { KindOptions } from './run-kind.ts';

let db: Database;
before(async () => {
  db = await openTestDatabase([runMigrations]);
  await db.script('create table units (run_id uuid, unit int)');
});
after(async () => db[Symbol.asyncDispose]());

const process = processOn(() => db);

test('a run is executed once with its input, and its result is kept', async () => {
  await using runs = process();
  const kind = runs.define<{ n: number }, { twice: number }>(name(), {}, async ({ input, progress }) => {
    progress({ done: 1, total: 2, step: 'doubling' });
    return { completed: { twice: input.n * 2 } };
  });
  const early = await kind.start(anna, { n: 1 });
  assert.equal((await kind.find(early, anna))?.status, 'queued');
  await runs.start();
  const late = await kind.start(anna, { n: 21 }, { subject: 'sums' });
  const [one, two] = [await reached(kind, early, 'completed'), await reached(kind, late, 'completed')];
  assert.deepEqual([one.result, two.result, two.subject], [{ twice: 2 }, { twice: 42 }, 'sums']);
  assert.deepEqual(two.progress, { done: 2, total: 2, step: 'doubling' });
  assert.ok(two.startedAt && two.finishedAt && two.startedAt <= two.finishedAt);
});

test('the last progress is kept when the run ends before it is written', async () => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Database = Object.create(db, {
    query: {
      value: async (sql: string, values?: unknown[]) => {
        if (sql.startsWith('with saved')) {
          begun.resolve();
          await ended.promise;
        }
        return db.query(sql, values);
      },
    },
    listen: { value: db.listen.bind(db) },
    transaction: { value: db.transaction.bind(db) },
  });
  await using runs = processOn(() => slow)();
  const kind = runs.define(name(), {}, async ({ progress }) => {
    progress({ done: 1, total: 2, step: 'doubling' });
    await begun.promise;
    return { completed: {} };
  });
  await runs.start();
  const id = await kind.start(anna, {});
  const { progress } = await reached(kind, id, 'completed');
  ended.resolve();
  assert.deepEqual(progress, { done: 2, total: 2, step: 'doubling' });
});

test('runs of another scope cannot be read or changed', async () => {
  await using runs = process();
  const kind = runs.define(name(), {}, async () => ({ completed: null }));
  const id = await kind.start(anna, {});
  assert.ok(await kind.find(id, { tenantId: 't1' }));
  for (const scope of [bert, carl, { tenantId: 't2' }]) {
    assert.equal(await kind.find(id, scope), undefined);
    assert.equal(await kind.cancel(id, scope), undefined);
    assert.equal(await kind.pause(id, scope), undefined);
    assert.equal(await kind.resume(id, scope), undefined);
    assert.deepEqual((await kind.list(scope, { limit: 10 })).runs, []);
    assert.deepEqual(await kind.queue(scope, 10), { queued: [], running: [] });
    for await (const _ of kind.watch(id, scope, AbortSignal.timeout(5000))) assert.fail('it is not theirs');
  }
  const other = runs.define(name(), {}, async () => ({ completed: null }));
  assert.equal(await other.find(id, {}), undefined);
});

test('a run paused from another process stops at once, and resumes from its checkpoint', async () => {
  const kindName = name();
  const code = led<object, string, { reached: number }>();
  await using worker = process();
  worker.define(kindName, {}, code.run);
  await using front = process();
  const kind = front.define<object, string>(kindName, {}, async () => ({ completed: 'never here' }));
  await worker.start();
  const first = code.next();
  const id = await kind.start(anna, {});
  const { run } = await first;
  assert.equal(run.checkpoint, undefined);
  await db.transaction((tx) => run.save(tx, { checkpoint: { reached: 3 }, progress: { done: 3, total: 9 } }));
  const paused = await kind.pause(id, anna);
  assert.deepEqual([paused?.status, paused?.progress.done], ['paused', 3]);
  if (!run.signal.aborted)
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query('insert into units values ($1, 4)', [id]);
      await run.save(tx, { checkpoint: { reached: 4 } });
    }),
    /interrupted/,
  );
  assert.deepEqual(await db.query('select from units where run_id = $1', [id]), []);
  assert.equal(await kind.pause(id, anna), undefined, 'it is already paused');
  const second = code.next();
  assert.equal((await kind.resume(id, anna))?.id, id);
  const again = await second;
  assert.deepEqual([again.run.id, again.run.checkpoint], [id, { reached: 3 }]);
  again.end({ completed: 'all' });
  const ended = await reached(kind, id, 'completed');
  assert.deepEqual([ended.result, ended.crashes, ended.progress.done], ['all', 0, 9]);
  assert.equal(await kind.resume(id, anna), undefined);
});

test('cancelling ends queued, paused and running runs and releases their resources in the same transaction', async () => {
  const code = led();
  const ends: string[] = [];
  const told: string[] = [];
  await using runs = process();
  const kind = runs.define(
    name(),
    {
      atEnd: async (tx, run) => {
        ends.push(run.status);
        await tx.query('delete from units where run_id = $1', [run.id]);
      },
      onEnded: ({ id }) => told.push(id),
    },
    code.run,
  );
  await runs.start();
  const began = code.next();
  const ids = [await kind.start(anna, {}), await kind.start(anna, {}), await kind.start(anna, {})];
  const [running = '', paused = '', queued = ''] = ids;
  for (const id of ids) await db.query('insert into units values ($1, 1)', [id]);
  const { run } = await began;
  assert.equal(run.id, running);
  await kind.pause(paused, anna);
  for (const id of [queued, paused, running])
    assert.equal((await kind.cancel(id, anna))?.status, 'cancelled');
  for (const id of ids) assert.equal(await kind.cancel(id, anna), undefined);
  assert.deepEqual([ends.length, told.sort()], [3, ids.toSorted()]);
  assert.deepEqual(await db.query('select from units where run_id = any($1)', [ids]), []);
});

test('a run that waits for something outside is resumed under the same id', async () => {
  await using runs = process();
  const kind = runs.define<object, string>(name(), {}, async ({ id }) => {
    const [token] = await db.query('select from units where run_id = $1', [id]);
    return token === undefined ? { waiting: 'authorization' } : { completed: 'signed in' };
  });
  await runs.start();
  const id = await kind.start(anna, {});
  const waiting = await reached(kind, id, 'waiting');
  assert.deepEqual([waiting.waitingFor, waiting.finishedAt], ['authorization', null]);
  assert.equal((await kind.position(id))?.position, null);
  await db.transaction(async (tx) => {
    await tx.query('insert into units values ($1, 1)', [id]);
    await kind.resume(id, anna, { tx });
  });
  assert.equal((await reached(kind, id, 'completed')).result, 'signed in');
});

test('a failed run states its reason: its own message, an exception or a timeout; its final write is atomic', async () => {
  await using runs = process({ graceMs: 50 });
  const causes: unknown[] = [];
  type Input = { how: 'says' | 'throws' | 'writes' | 'endless' | 'large' };
  const unit = (id: string) => (tx: { query: Database['query'] }) =>
    tx.query('insert into units values ($1, 1)', [id]).then(() => undefined);
  const options: KindOptions<Input, string> = {
    timeoutSeconds: 3,
    limitBytes: 1000,
    onEnded: (_, cause) => causes.push(cause),
  };
  const kind = runs.define<Input, string>(name(), options, async ({ id, input }) => {
    switch (input.how) {
      case 'says':
        return { failed: 'There is no such server.', write: unit(id) };
      case 'throws':
        throw new Error('secret of the code');
      case 'writes':
        return {
          completed: 'x',
          write: async (tx) => {
            await unit(id)(tx);
            await tx.query('select 1 / 0');
          },
        };
      case 'large':
        return { completed: 'a'.repeat(1001), write: unit(id) };
      case 'endless':
        return new Promise(() => {});
    }
  });
  await runs.start();
  const ended = async (how: Input['how']) => {
    const id = await kind.start(anna, { how });
    const { error } = await reached(kind, id, 'failed');
    const units = await db.query('select from units where run_id = $1', [id]);
    return [error?.code, error?.message, units.length];
  };
  const defect = 'Internal error; the service’s log has details.';
  assert.deepEqual(await ended('says'), ['failed', 'There is no such server.', 1]);
  assert.deepEqual(await ended('throws'), ['error', defect, 0]);
  assert.match(String(causes[1]), /secret of the code/);
  assert.deepEqual(await ended('writes'), ['error', defect, 0]);
  assert.deepEqual(await ended('large'), ['error', defect, 0]);
  assert.deepEqual(await ended('endless'), ['timed_out', 'It took longer than 3 seconds.', 0]);
});

test('a failed run can be resumed if its kind allows it', async () => {
  await using runs = process();
  let fine = false;
  const kind = runs.define<object, string, number>(name(), {}, async ({ checkpoint, save }) => {
    if (fine) return { completed: `from ${checkpoint}` };
    await db.transaction((tx) => save(tx, { checkpoint: 7 }));
    return { failed: 'no target' };
  });
  await runs.start();
  const id = await kind.start(anna, {});
  await reached(kind, id, 'failed');
  assert.equal(await kind.resume(id, anna), undefined);
  fine = true;
  const again = await kind.resume(id, anna, { from: ['paused', 'failed'] });
  assert.deepEqual([again?.status, again?.error, again?.finishedAt], ['queued', null, null]);
  assert.equal((await reached(kind, id, 'completed')).result, 'from 7');
});

test('a run interrupted by database failures is retried a limited number of times', async () => {
  await using runs = process();
  let executions = 0;
  const kind = runs.define<{ times: number }, number>(name(), { mostCrashes: 2 }, async ({ input }) => {
    if (executions++ < input.times) throw unavailable('The database is away.');
    return { completed: executions };
  });
  await runs.start();
  assert.equal((await reached(kind, await kind.start(anna, { times: 1 }), 'completed', 'failed')).result, 2);
  executions = 0;
  const { error, crashes } = await reached(kind, await kind.start(anna, { times: 9 }), 'failed');
  assert.deepEqual([error?.code, crashes, executions], ['crashed', 2, 2]);
  assert.match(error?.message ?? '', /2 times/);
});

test('stopping returns runs to the queue without counting a crash, even runs that ignore the signal', async () => {
  const kindName = name();
  const code = led();
  const first = process({ graceMs: 50 });
  let late: Run<object, unknown> | undefined;
  const deaf = first.define<object, null, unknown>(
    kindName,
    { concurrency: 2 },
    async (run) =>
      new Promise((resolve) => {
        if (late === undefined) late = run;
        else run.signal.addEventListener('abort', () => resolve({ failed: 'it was broken off' }));
      }),
  );
  await first.start();
  const ids = [await deaf.start(anna, {}), await deaf.start(anna, {}), await deaf.start(anna, {})];
  for (const id of ids.slice(0, 2)) await reached(deaf, id, 'running');
  await first[Symbol.asyncDispose]();
  await using second = process();
  const kind = second.define(kindName, {}, code.run);
  // One ignores the signal, the other reports its abort as a failure: both are queued again, before the third.
  assert.deepEqual((await kind.queue({}, 9)).queued, ids);
  assert.equal((await kind.find(ids[0] ?? '', {}))?.crashes, 0);
  const began = code.next();
  await second.start();
  const { run, end } = await began;
  assert.equal(run.id, ids[0]);
  await assert.rejects(
    db.transaction(async (tx) => late?.save(tx, { checkpoint: 1 })),
    /interrupted/,
  );
  end({ completed: null });
  assert.equal((await reached(kind, run.id, 'completed')).crashes, 0);
});

test('a watcher in another process receives each step and the end', async () => {
  const kindName = name();
  const code = led();
  await using worker = process();
  worker.define(kindName, {}, code.run);
  await worker.start();
  await using front = process({ pollMs: 600_000 });
  const kind = front.define(kindName, {}, code.run);
  const began = code.next();
  const id = await kind.start(anna, {});
  const seen: string[] = [];
  for await (const { status, progress } of kind.watch(id, anna, AbortSignal.timeout(20_000))) {
    seen.push(`${status} ${progress.step ?? ''}`.trim());
    if (seen.length === 1) {
      const { run } = await began;
      run.progress({ done: 0, step: 'reading' });
    }
    if (progress.step === 'reading') await kind.pause(id, anna);
    if (status === 'paused') await kind.cancel(id, anna);
  }
  assert.match(
    seen.join(', '),
    /^(?:queued, )?(?:running, )?running reading, paused reading, cancelled reading$/,
  );
});

test('a deleted run is aborted and removed; ended runs are deleted after their retention time', async () => {
  const code = led();
  await using runs = process();
  const kind = runs.define(name(), {}, code.run);
  const short = runs.define<object, null>(name(), { keepSeconds: 0 }, async () => ({ completed: null }));
  const ended = await short.start(anna, {});
  await db.query(
    `update runs.runs set status = 'completed', finished_at = now() - interval '1 s' where run_id = $1`,
    [ended],
  );
  const began = code.next();
  const id = await kind.start(anna, {}, { subject: 'doomed' });
  await runs.start();
  assert.equal(await short.find(ended, {}), undefined);
  const { run } = await began;
  assert.deepEqual(await db.transaction((tx) => kind.delete(tx, { subject: 'doomed' })), [id]);
  if (!run.signal.aborted)
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
  assert.equal(await kind.find(id, {}), undefined);
});
