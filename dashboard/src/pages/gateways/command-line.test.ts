import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLineOf, readCommandLine } from './command-line.ts';

test('a command line is split as a shell would, quotes understood', () => {
  for (const [line, parts] of [
    ['npx -y server', ['npx', '-y', 'server']],
    [
      '  node   "/srv/my notes/server.js"  --root=\'/srv/a "b"\' ',
      ['node', '/srv/my notes/server.js', '--root=/srv/a "b"'],
    ],
    [String.raw`run a\ b "c\"d\\e" ''`, ['run', 'a b', String.raw`c"d\e`, '']],
    ['run --json={"a":1}', ['run', '--json={a:1}']],
    [`run 'it'\\''s' $HOME | more`, ['run', "it's", '$HOME', '|', 'more']],
    ['run first\n\tsecond', ['run', 'first', 'second']],
    ['', []],
  ] as const) {
    const { command, args, problem } = readCommandLine(line);
    assert.equal(problem, undefined, line);
    assert.deepEqual([command, ...args], parts.length === 0 ? [''] : parts, line);
  }
});

test('what has no end is told, with its place', () => {
  assert.match(readCommandLine('node "/srv/my notes').problem ?? '', /“"\/srv\/my notes” has no end/);
  assert.match(readCommandLine("node 'x").problem ?? '', /has no end/);
  assert.match(readCommandLine('node x\\').problem ?? '', /lone/);
});

test('parts written as a line are read as the same parts', () => {
  const parts = [
    '/opt/a b/run',
    '',
    "it's",
    'say "x"',
    String.raw`C:\temp`,
    '--plain=1',
    'zwei\nZeilen',
    'ä€',
  ];
  const { command, args } = readCommandLine(commandLineOf(parts));
  assert.deepEqual([command, ...args], parts);
});
