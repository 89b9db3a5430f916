import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnvironmentHandle } from '#engine/red-team/session/sandbox-session.ts';
import { type Driver, Pool, type PooledInstance } from './pool.ts';

/** Instances that only count; `sick` ones do not answer after their lease. */
class CountingDriver implements Driver {
  started = 0;
  disposed = 0;
  sick = new Set<number>();

  async start(): Promise<PooledInstance> {
    const number = ++this.started;
    const handle = {
      sinks: [],
      reset: async () => undefined,
      tools: async () => [],
      call: async () => ({ text: String(number), isError: false }),
      changes: async () => [],
      rows: async () => [],
    } satisfies EnvironmentHandle;
    return {
      handle,
      isHealthy: async () => !this.sick.has(number),
      [Symbol.asyncDispose]: async () => void (this.disposed += 1),
    };
  }
}

const request = (...environments: string[]) => ({
  environments,
  expiresAfterMs: 60_000,
  signal: new AbortController().signal,
});

const openPool = async (counts: Record<string, number>) => {
  const driver = new CountingDriver();
  const pool = new Pool(driver);
  await pool.open(new Map(Object.entries(counts)));
  return { driver, pool };
};

test('Requests wait for a free instance and are served in the order of their arrival', async () => {
  const { pool } = await openPool({ mail: 1 });
  const first = await pool.lease(request('mail'));
  const order: number[] = [];
  const second = pool.lease(request('mail')).then((lease) => (order.push(2), lease));
  const third = pool.lease(request('mail')).then((lease) => (order.push(3), lease));
  assert.equal(pool.waiting, 2);
  await first.release();
  await (await second).release();
  await (await third).release();
  assert.deepEqual(order, [2, 3]);
  assert.equal(pool.leases, 0);
});

test('A request for two environments is not overtaken for ever by requests for one of them', async () => {
  const { pool } = await openPool({ mail: 1, crm: 1 });
  const holder = await pool.lease(request('crm'));
  const both = pool.lease(request('mail', 'crm'));
  const later = pool.lease(request('mail'));
  assert.equal(pool.waiting, 2);
  await holder.release();
  const granted = await both;
  assert.equal(pool.waiting, 1);
  await granted.release();
  await (await later).release();
});

test('Calls after the end of a lease are refused', async () => {
  const { pool } = await openPool({ mail: 1 });
  const lease = await pool.lease(request('mail'));
  const handle = lease.environments.get('mail') as EnvironmentHandle;
  assert.equal((await handle.call('x', {})).text, '1');
  await lease.release();
  await assert.rejects(handle.call('x', {}), /lease of the environments has ended/);
});

test('A lease that expires gives its instances back', async () => {
  const { pool } = await openPool({ mail: 1 });
  const expiring = await pool.lease({ ...request('mail'), expiresAfterMs: 5 });
  const keepRunning = setInterval(() => undefined, 1000);
  const next = await pool.lease(request('mail'));
  clearInterval(keepRunning);
  assert.equal(expiring.ended.aborted, true);
  await next.release();
});

test('An instance that no longer answers is replaced', async () => {
  const { driver, pool } = await openPool({ mail: 1 });
  const lease = await pool.lease(request('mail'));
  driver.sick.add(1);
  await lease.release();
  const next = await pool.lease(request('mail'));
  assert.equal((await next.environments.get('mail')?.call('x', {}))?.text, '2');
  assert.equal(driver.disposed, 1);
});

test('A request that is aborted while it waits takes no instance', async () => {
  const { pool } = await openPool({ mail: 1 });
  const first = await pool.lease(request('mail'));
  const abort = new AbortController();
  const waiting = pool.lease({ ...request('mail'), signal: abort.signal });
  abort.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  await first.release();
  assert.deepEqual(pool.status(), [{ environment: 'mail', instances: 1, free: 1, starting: 0 }]);
});

test('An environment without instances is refused at once', async () => {
  const { pool } = await openPool({ mail: 0 });
  await assert.rejects(pool.lease(request('mail')), /no instance of mail/);
  await assert.rejects(pool.lease(request('crm')), /no instance of crm/);
});

test('Closing the pool refuses those who wait and ends all instances', async () => {
  const { driver, pool } = await openPool({ mail: 2 });
  await pool.lease(request('mail'));
  await pool.lease(request('mail'));
  const refused = assert.rejects(pool.lease(request('mail')), /shutting down/);
  await pool[Symbol.asyncDispose]();
  await refused;
  assert.equal(driver.disposed, 2);
});
