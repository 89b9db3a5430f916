import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merge } from './merge.ts';

interface Item {
  readonly id: string;
  readonly at: string;
}

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

/** A service's log, newest first, read before an exclusive end. */
const sourceOf = (name: string, times: readonly number[]) => {
  const items = times
    .map((ms, i): Item => ({ id: `${name} ${i}`, at: at(ms) }))
    .toSorted((a, b) => b.at.localeCompare(a.at));
  return (end: string | undefined, limit: number) => {
    const below = items.filter((item) => end === undefined || item.at < end);
    return { items: below.slice(0, limit), hasMore: below.length > limit };
  };
};

/** All pages, as the list loads them; an item may come twice and is shown once. */
function readAll(logs: readonly ReturnType<typeof sourceOf>[], limit: number): string[] {
  const shown = new Map<string, Item>();
  let end: string | undefined;
  for (let page = 0; page < 1000; page++) {
    const { items, nextEnd } = merge(logs.map((read) => read(end, limit)));
    for (const item of items) shown.set(item.id, item);
    if (nextEnd === undefined) return [...shown.keys()];
    assert.notEqual(nextEnd, end, 'the list goes on');
    end = nextEnd;
  }
  throw new Error('The list does not end.');
}

test('every entry of every log is shown once, newest first, however the logs interleave', () => {
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const logs = Array.from({ length: 1 + random(4) }, (_, log) =>
      Array.from({ length: random(30) }, (_entry, i) => (random(3) === 0 ? random(20) : i * 37 + log)),
    );
    // At most this many entries share a moment in one log, so a page always gets past it.
    const shown = readAll(
      logs.map((times, log) => sourceOf(`log ${log}`, times)),
      12,
    );
    assert.equal(new Set(shown).size, shown.length);
    assert.equal(shown.length, logs.flat().length, `seed ${seed}`);
  }
});

test('entries older than what one log has still to give wait for the next page', () => {
  const { items, nextEnd } = merge<Item>([
    {
      items: [
        { id: 'a', at: at(90) },
        { id: 'b', at: at(50) },
      ],
      hasMore: true,
    },
    {
      items: [
        { id: 'c', at: at(70) },
        { id: 'd', at: at(10) },
      ],
      hasMore: false,
    },
  ]);
  assert.deepEqual(
    items.map(({ id }) => id),
    ['a', 'c'],
  );
  assert.equal(nextEnd, at(51));
});

test('a log that was read far without finding anything does not end the list', () => {
  const { items, nextEnd } = merge<Item>([{ items: [], hasMore: true, readUntil: at(40) }]);
  assert.deepEqual(items, []);
  assert.equal(nextEnd, at(41));
});
