import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinTaints, joinTwo, type Taint } from './taints.ts';
import { allTaints, cleared, join, type Value } from './value.ts';

const taint = (id: number, bits = 0): Taint => ({ source: { id }, cleared: bits }) as unknown as Taint;

test('of two lists each source is kept once, with what both have cleared', () => {
  const joined = joinTwo([taint(1, 3), taint(2, 0)], [taint(3, 1), taint(1, 2), taint(3, 4)]);
  assert.deepEqual(joined, [taint(1, 2), taint(2, 0), taint(3, 0)]);
  assert.deepEqual(joinTaints([[], [taint(2)], [taint(1)], [taint(2)]]), [taint(2), taint(1)]);
});

test('a list that the other adds nothing to is given itself', () => {
  const open = [taint(1), taint(2)];
  const checked = open.map((each) => ({ ...each, cleared: 1 }));
  assert.equal(joinTwo(open, checked), open);
  assert.equal(joinTwo(checked, open), open);
});

test('a value that the other adds nothing to is given itself, and another one where it does', () => {
  const open: Value = { taints: [], fields: new Map([['path', { taints: [taint(1)] }]]) };
  const checked = cleared(open, 1);
  assert.notEqual(checked, open);
  assert.equal(join(open, checked), open);
  assert.equal(join(checked, open), open);
  const longer = join(open, { taints: [], fields: new Map([['name', { taints: [taint(2)] }]]) });
  assert.deepEqual(allTaints(longer), [taint(1), taint(2)]);
  assert.equal(join({ taints: [], constant: 'a' }, { taints: [], constant: 'b' }).constant, undefined);
});

test('names of one table in another order are another table', () => {
  const [one, other] = [{ taints: [taint(1)] }, { taints: [taint(2)] }];
  const table = (...entries: [string, Value][]): Value => ({ taints: [], fields: new Map(entries) });
  const joined = join(table(['0', cleared(one, 1)], ['1', other]), table(['1', other], ['0', one]));
  assert.deepEqual([...(joined.fields?.keys() ?? [])], ['0', '1']);
});
