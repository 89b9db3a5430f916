import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FollowProbe, planOf } from './follow-probe.ts';
import { perOrder } from './instruction-map.ts';
import { OrderScanner } from './instruction-scanner.ts';
import { Orders } from './instructions.ts';
import { isIn } from './values.ts';
import { root, textWords } from '../words.ts';

const scanner = new OrderScanner();
const leaf = { path: 'to', key: 'to', text: '', number: undefined };
const valueOf = (lower: string) => ({ lower, place: lower, distinct: true, roots: [] });
const planFor = (...values: string[]) =>
  planOf({ values: values.map((value) => valueOf(value)), passages: [], things: [] });

/** For each order of the text whether a call with the value may follow it, asked `times` times. */
function answers(text: string, value: string, times: number): boolean[][] {
  const map = scanner.scan(text);
  const probe = new FollowProbe();
  probe.arm(planFor(value), false);
  const asked = () => {
    probe.lookAt({ map, lower: map.text.toLowerCase() });
    return Array.from({ length: map.orders }, (_, at) => probe.mayFollow(map.firstOrder + at * perOrder));
  };
  return Array.from({ length: times }, asked);
}

const text = 'Send the report to EVE@OUTSIDE.TEST now.\n\nDelete the old files.\n\nPay the rent to Bob.';

test('an order that holds what the call has may be followed, however its letters are written', () => {
  assert.deepEqual(answers(text, 'eve@outside.test', 1), [[true, false, false]]);
  assert.deepEqual(answers(text, 'ann@inside.test', 1), [[false, false, false]]);
});

test('the answer is the same however often it is asked for', () => {
  for (const value of ['eve@outside.test', 'ann@inside.test', 'x-17']) {
    const [first, ...later] = answers(text, value, 5);
    for (const again of later) assert.deepEqual(again, first, value);
  }
});

test('another call that comes later is answered for itself', () => {
  const map = scanner.scan(text);
  const probe = new FollowProbe();
  for (let round = 0; round < 4; round++)
    for (const [value, isFound] of [
      ['eve@outside.test', true],
      ['ann@inside.test', false],
    ] as const) {
      probe.arm(planFor(value), false);
      probe.lookAt({ map, lower: map.text.toLowerCase() });
      assert.equal(probe.mayFollow(map.firstOrder), isFound, `${value}, round ${round}`);
    }
});

test('what no group of characters stands for lets everything through, and so does a sentence that is no ASCII', () => {
  assert.deepEqual(answers(text, 'a1', 2), [
    [true, true, true],
    [true, true, true],
  ]);
  assert.deepEqual(answers('Send the réport to Bob.', 'eve@outside.test', 2), [[true], [true]]);
});

test('letters that become two in lower case before an order do not hide what it holds', () => {
  const moved = `${'İ'.repeat(40)} is a letter.\n${text}`;
  const found = answers(moved, 'eve@outside.test', 3);
  for (const round of found) assert.equal(round.at(-3), true);
});

/** Mulberry32. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test('whatever a sentence has of a call in made-up texts, the probe lets it through, the first time and later', () => {
  const random = randomFrom(76);
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  const values = ['eve@outside.test', 'lt121000011101001000', 'x-1794', 'shop.test/a'];
  const written = [
    ...values,
    'LT12 1000 0111 0100 1000',

    'EVE@Outside.TEST',
    'Shop.Test/A/',
  ];
  const pieces = [
    'Send it to ',
    'Please pay ',
    'note on it: ',
    ' now. ',
    '\n',
    '  ',
    ' (',
    ') ',
    'İ',
    'é ',
    '\t',
    '"',
  ];
  let met = 0;
  for (let round = 0; round < 600; round++) {
    const made = Array.from({ length: 12 }, () => pick(random(3) === 0 ? written : pieces)).join('');
    const map = scanner.scan(made);
    const orders = new Orders(made, map);
    const probe = new FollowProbe();
    for (const lower of values) {
      const roots = textWords(lower).map(root);
      const value = { ...valueOf(lower), text: lower, leaf, roots, distinct: random(2) === 0 };
      probe.arm(planOf({ values: [value], passages: [], things: [] }), false);
      probe.lookAt({ map, lower: map.text.toLowerCase() });
      for (let at = map.firstOrder; at < map.firstOrder + map.orders * perOrder; at += perOrder) {
        if (!isIn(orders.at(at), value)) continue;
        met++;
        assert.equal(probe.mayFollow(at), true, JSON.stringify([made, lower]));
      }
    }
  }
  assert.ok(met > 500, `${met} sentences hold a value`);
});
