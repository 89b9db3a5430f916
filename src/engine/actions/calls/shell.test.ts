import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseShell } from './parse-shell.ts';
import { readShell } from './shell.ts';

const root = join(import.meta.dirname, '../../../../test/fixtures/shell-commands');
const lines = (name: string) => readFileSync(join(root, name), 'utf8').trimEnd().split('\n');
const isDestructive = (line: string) => readShell(line).facts.has('destructive_command');

test('commands that destroy are told by what the shell makes of them', () => {
  for (const line of lines('destructive.txt')) assert.ok(isDestructive(line), line);
});

test('commands that only look like them are not', () => {
  for (const line of lines('harmless.txt')) assert.ok(!isDestructive(line), line);
});

const wordsOf = (line: string) => parseShell(line).map(({ words }) => words);

test('words are cut as the shell cuts them', () => {
  const cases: readonly (readonly [line: string, words: readonly (readonly string[])[]])[] = [
    [`a 'b c' "d $e" f\\ g`, [['a', 'b c', 'd $e', 'f g']]],
    ['a;b && c|d # e', [['a'], ['b'], ['c'], ['d']]],
    [`$'\\x72\\155' x`, [['rm', 'x']]],
    ['x=1; echo $x ${x}', [['x=1'], ['echo', '1', '1']]],
    [
      'echo "$(printf \'%s-%s\' a b)"',
      [
        ['printf', '%s-%s', 'a', 'b'],
        ['echo', 'a-b'],
      ],
    ],
    ['a > out.txt 2>&1 < in.txt b', [['a', 'b']]],
    [`a ''`, [['a', '']]],
    ['a "unclosed b', [['a', 'unclosed b']]],
    [
      'a $(unclosed b',
      [
        ['unclosed', 'b'],
        ['a', ''],
      ],
    ],
  ];
  for (const [line, words] of cases) assert.deepEqual(wordsOf(line), words, line);
});

test('what a command reads is known where the line says it', () => {
  assert.equal(parseShell('sh <<< "rm -rf /"')[0]?.input, 'rm -rf /');
  assert.ok(isDestructive('sh <<END\nrm -rf /srv\nEND'));
  assert.ok(isDestructive('psql <<END\nDROP TABLE users;\nEND'));
});

test('lines that grow or nest without end take bounded time', () => {
  const doubling = Array.from({ length: 40 }, (_, at) => `v${at + 1}="$v${at}$v${at}"`).join('; ');
  const bombs = [
    `v0=aaaaaaaa; ${doubling}; $v40`,
    '$('.repeat(5000),
    '`'.repeat(9999),
    `${'"$('.repeat(2000)}x`,
    'a <<E\n'.repeat(2000),
  ];
  for (const line of bombs) {
    const from = performance.now();
    readShell(line);
    assert.ok(performance.now() - from < 2000, line.slice(0, 30));
  }
});
