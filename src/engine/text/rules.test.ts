import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type RuleFile, RuleSet } from './rules.ts';
import { tokenise } from './tokens.ts';

const folder = join(import.meta.dirname, '../../../data/rules');
const files = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RuleFile,
);

const sample = new RuleSet([
  {
    classes: { drop: ['ignore', 'forget'] },
    rules: [
      { id: 'a', patterns: ['<drop> ~2 rules|orders'], effects: { 'prompt-injection': 1 }, reason: 'x' },
    ],
  },
]);

test('a gap matches up to its maximum number of tokens', () => {
  const ranges = (text: string) => sample.match(tokenise(text).words).map(({ first, last }) => [first, last]);
  assert.deepEqual(ranges('ignore rules'), [[0, 1]]);
  assert.deepEqual(ranges('please ignore all the rules'), [[1, 4]]);
  assert.deepEqual(ranges('ignore all of the rules'), []);
  assert.deepEqual(ranges('rules ignore'), []);
});

test('a pattern with an unknown class is refused', () => {
  assert.throws(
    () =>
      new RuleSet([
        { classes: {}, rules: [{ id: 'b', patterns: ['<nothing> x'], effects: {}, reason: 'x' }] },
      ]),
    /unknown class <nothing>/,
  );
});

test('every built-in rule has a unique id, an effect and a reason', () => {
  const rules = files.flatMap((file) => file.rules);
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
  for (const { id, effects, boundsGeneral, reason, patterns } of rules) {
    assert.ok(Object.keys(effects).length > 0 || boundsGeneral === true, id);
    assert.ok(reason !== '' && patterns.length > 0, id);
  }
});

/** Words that begin as many patterns as possible, repeated: the worst case for a backtracking matcher. */
test('matching time grows linearly with the text', () => {
  const rules = new RuleSet(files);
  const words = [...new Set(files.flatMap((file) => Object.values(file.classes).flat()))];
  const time = (count: number) => {
    const text = Array.from({ length: count }, (_, i) => words[(i * 7919) % words.length] ?? '');
    const begin = process.cpuUsage().user;
    for (let i = 0; i < 3; i++) rules.match(text);
    return process.cpuUsage().user - begin;
  };
  time(20_000);
  const [small, large] = [time(20_000), time(80_000)];
  assert.ok(large < small * 12 + 20_000, `${small} and ${large} microseconds`);
});
