import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { LastWords } from './last-words.ts';

const wordsOf = (text: string): string => {
  const words = new LastWords();
  for (const line of text.split('\n')) if (line.trim() !== '') words.add(line);
  return words.text;
};

test('of a program of Node that fails, the error is told and not its version', () => {
  const { stderr } = spawnSync(process.execPath, ['./no-such-file.mjs'], { encoding: 'utf8' });
  assert.match(stderr.trimEnd(), /Node\.js v[\d.]+$/);
  assert.match(wordsOf(stderr), /^Error: Cannot find module '.*no-such-file\.mjs'$/);
  const thrown = spawnSync(process.execPath, ['-e', 'throw new TypeError("no port: 0")'], {
    encoding: 'utf8',
  });
  assert.equal(wordsOf(thrown.stderr), 'TypeError: no port: 0');
});

for (const [said, wanted] of [
  [
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nModuleNotFoundError: No module named x',
    'ModuleNotFoundError: No module named x',
  ],
  ['panic: no token\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2', 'panic: no token'],
  ['npm error code E404\nnpm error 404 Not Found', 'npm error 404 Not Found'],
  ['listening\nAPI_KEY is required', 'API_KEY is required'],
  ['}\n\nNode.js v24.1.0', 'Node.js v24.1.0'],
  ['', ''],
] as const)
  test(`of ${JSON.stringify(said.slice(0, 40))}`, () => {
    assert.equal(wordsOf(said), wanted);
  });
