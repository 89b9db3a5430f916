import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { segmentsOf } from './segments.ts';

const unitsMs = [1, 60_000, 3_600_000, 86_400_000];

test('segments cover the stretch once, each level on its own bounds, with few entries one by one', () => {
  const time = fc.integer({ min: 0, max: 400 * 86_400_000 });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const segments = segmentsOf(from, to);
      let at = from;
      for (const { level, fromMs, toMs } of segments) {
        assert.equal(fromMs, at);
        assert.ok(toMs > fromMs);
        const unit = unitsMs[level]!;
        assert.deepEqual([fromMs % unit, toMs % unit], [0, 0]);
        if (level === 0) assert.ok(toMs - fromMs < 2 * 60_000);
        at = toMs;
      }
      assert.equal(at, to);
      assert.ok(segments.length <= 7);
    }),
  );
});

test('an open stretch is made of days', () => {
  assert.deepEqual(segmentsOf(-Infinity, Infinity), [{ level: 3, fromMs: -Infinity, toMs: Infinity }]);
  assert.deepEqual(
    segmentsOf(86_400_000 - 1, Infinity).map(({ level }) => level),
    [0, 3],
  );
});
