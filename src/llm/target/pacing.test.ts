import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Pacer } from './pacing.ts';

/** A clock that moves only when somebody sleeps, and then to the end of the shortest sleep. */
function sleepingClock() {
  let now = 1_000_000;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
    sleep: (ms: number, signal: AbortSignal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      sleepers.push({ at: now + ms, wake: resolve });
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      return promise;
    },
    /** Lets pending work continue, and advances time while a caller sleeps. */
    async run(isOver: () => boolean) {
      for (let turns = 0; turns < 100_000 && !isOver(); turns++) {
        await new Promise(setImmediate);
        const [next] = sleepers.sort((a, b) => a.at - b.at);
        if (next === undefined) continue;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
      }
      assert.ok(isOver(), 'the simulation does not end');
    },
  };
}

const never = new AbortController().signal;

test('the target sees no more requests in any 60 seconds than allowed, however long they take to it and there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(
        fc.record({ transit: fc.integer({ min: 0, max: 5000 }), work: fc.integer({ min: 0, max: 90_000 }) }),
        { minLength: 1, maxLength: 30 },
      ),
      async (queriesPerMinute, concurrency, requests) => {
        const clock = sleepingClock();
        const pacer = new Pacer({ concurrency, queriesPerMinute }, clock, clock.sleep);
        const arrivals: number[] = [];
        let [underWay, most, done] = [0, 0, 0];
        for (const { transit, work } of requests)
          void (async () => {
            using _place = await pacer.enter(never);
            most = Math.max(most, ++underWay);
            await clock.sleep(transit, never);
            arrivals.push(clock.now());
            await clock.sleep(work, never);
            underWay--;
            done++;
          })();
        await clock.run(() => done === requests.length);
        assert.ok(most <= concurrency, `${most} at a time`);
        for (const [at, first] of arrivals.entries()) {
          const within = arrivals.filter((other) => other >= first && other - first <= 60_000).length;
          assert.ok(within <= queriesPerMinute, `${within} arrivals within a minute from the ${at}th`);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a caller that aborts leaves the queue, and the others keep their order', async () => {
  const clock = sleepingClock();
  const pacer = new Pacer({ concurrency: 1 }, clock, clock.sleep);
  const first = await pacer.enter(never);
  const impatient = new AbortController();
  const order: string[] = [];
  const second = pacer.enter(impatient.signal).then(() => order.push('second'));
  const third = pacer.enter(never).then((place) => {
    order.push('third');
    place[Symbol.dispose]();
  });
  const fourth = pacer.enter(never).then(() => order.push('fourth'));
  impatient.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await Promise.all([third, fourth]);
  assert.deepEqual(order, ['third', 'fourth']);
});

test('no request starts while the target has asked for a pause', async () => {
  const clock = sleepingClock();
  const pacer = new Pacer({ concurrency: 4 }, clock, clock.sleep);
  const before = clock.now();
  pacer.quiet(5000);
  pacer.quiet(1000);
  let startedAt = 0;
  void pacer.enter(never).then(() => {
    startedAt = clock.now();
  });
  await clock.run(() => startedAt > 0);
  assert.equal(startedAt - before, 5000);
});
