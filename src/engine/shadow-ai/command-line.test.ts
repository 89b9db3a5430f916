import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitCommandLine } from './command-line.ts';

test('quotes group, and a backslash escapes a quote alone', () => {
  const cases: [string, string[]][] = [
    ['', []],
    ['  a\tb \n c ', ['a', 'b', 'c']],
    [String.raw`"C:\Program Files\a.exe" C:\b\ -x`, [String.raw`C:\Program Files\a.exe`, 'C:\\b\\', '-x']],
    [String.raw`sh -c "echo \"two words\""`, ['sh', '-c', 'echo "two words"']],
    [String.raw`a 'it is' b\'c "it's"`, ['a', 'it is', "b'c", "it's"]],
    ['a"b c"d \'\' ""', ['ab cd', '', '']],
    ['cut "off here', ['cut', 'off here']],
    [String.raw`\"x\" y`, ['"x"', 'y']],
  ];
  for (const [line, words] of cases) assert.deepEqual(splitCommandLine(line), words, line);
  assert.deepEqual(splitCommandLine('a b c d', 2), ['a', 'b']);
});

test('lines that are made to be slow are not', () => {
  const began = performance.now();
  for (const char of ['"', '\\', '\\"', "'", '"\\', ' ']) splitCommandLine(char.repeat(32_768));
  assert.ok(performance.now() - began < 2000);
});
