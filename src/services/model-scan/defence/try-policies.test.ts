import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thresholdFor } from './try-policies.ts';

test('a threshold stays where it stops the case and nothing harmless', () => {
  assert.equal(thresholdFor(0.5, 0.8, 0.4), 0.5);
  assert.equal(thresholdFor(0.5, 0.8, undefined), 0.5);
});

test('it is moved between the case and what is harmless, upwards and downwards', () => {
  assert.equal(thresholdFor(0.5, 0.8, 0.6), 0.7);
  assert.equal(thresholdFor(0.5, 0.4, 0.2), 0.3);
  for (const [probability, highest] of [
    [0.123, 0.07],
    [0.999, 0.9401],
    [0.5049, 0.4501],
  ] as const) {
    const moved = thresholdFor(0.25, probability, highest);
    assert.ok(moved > highest && moved <= probability, String(moved));
  }
});

test('it stays where there is no room, and for a policy that is about something else', () => {
  assert.equal(thresholdFor(0.5, 0.8, 0.79), 0.5);
  assert.equal(thresholdFor(0.5, 0.3, 0.9), 0.5);
  assert.equal(thresholdFor(0.5, 0.09, 0), 0.5);
});
