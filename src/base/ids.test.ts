import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid, newId, newUuid } from './ids.ts';

test('a prefixed id has 24 URL-safe characters and is unique', () => {
  const ids = new Set(Array.from({ length: 5000 }, () => newId('gd')));
  assert.equal(ids.size, 5000);
  for (const id of ids) assert.match(id, /^gd_[\w-]{24}$/);
});

test('a version 7 UUID sorts by time and is unique', () => {
  const early = newUuid(1_700_000_000_000);
  const late = newUuid(1_700_000_000_001);
  assert.ok(early < late);
  assert.match(early, /^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(Array.from({ length: 5000 }, () => newUuid())).size, 5000);
  const sameMs = Array.from({ length: 2000 }, () => newUuid(1_700_000_000_000));
  assert.deepEqual(sameMs.toSorted(), sameMs);
  const turns = Array.from({ length: 100 }, (_, i) => {
    newUuid(1_800_000_000_001 + i);
    return newUuid(1_800_000_000_000);
  });
  assert.deepEqual(turns.toSorted(), turns, 'a clock that stands still keeps its order beside one that runs');
  assert.ok(isUuid(early));
  assert.ok(!isUuid(`${early}'`));
});
