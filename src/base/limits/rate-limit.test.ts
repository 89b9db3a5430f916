import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../errors.ts';
import { createRateLimit } from './rate-limit.ts';

function limited(requestsPerMinute: number) {
  const clock = { nowMs: 1_000_000, now: () => clock.nowMs };
  const count = createRateLimit(requestsPerMinute, clock);
  /** Seconds to wait, or 0 when the request was let through. */
  const ask = (caller = 'a'): number => {
    try {
      count(caller);
      return 0;
    } catch (error) {
      assert.ok(error instanceof AppError && error.status === 429);
      return Number(error.headers['retry-after']);
    }
  };
  return { clock, ask };
}

test('a whole minute’s requests may come at once; after that the wait time is returned', () => {
  const { clock, ask } = limited(6);
  for (let i = 0; i < 6; i += 1) assert.equal(ask(), 0);
  assert.equal(ask(), 10);
  assert.equal(ask('b'), 0, 'callers are counted separately');
  clock.nowMs += 9000;
  assert.equal(ask(), 1);
  clock.nowMs += 1000;
  assert.equal(ask(), 0);
  assert.notEqual(ask(), 0);
});

test('over any period at most the burst plus the rate passes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.array(fc.integer({ min: -50, max: 3000 }), { maxLength: 300 }),
      (perMinute, pauses) => {
        const { clock, ask } = limited(perMinute);
        let [passed, elapsedMs] = [0, 0];
        for (const pause of pauses) {
          clock.nowMs += pause;
          elapsedMs += Math.max(0, pause);
          passed += Number(ask() === 0);
        }
        assert.ok(passed <= perMinute + (elapsedMs * perMinute) / 60_000 + 1e-6);
      },
    ),
  );
});

test('a limit of 0 means unlimited', () => {
  const { ask } = limited(0);
  for (let i = 0; i < 1000; i += 1) assert.equal(ask(), 0);
});
