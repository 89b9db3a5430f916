import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldValues, maskedArguments } from './argument-secrets.ts';

test('variables, headers and secret options among arguments are masked, and what else there is stays', () => {
  const cases: [string[], string[]][] = [
    [
      ['run', '-i', '--rm', '-e', 'DB_PASSWORD=hunter2secretpw', '-e', 'PASSED_ON', 'ghcr.io/x/y:1.0'],
      ['run', '-i', '--rm', '-e', 'DB_PASSWORD=********', '-e', 'PASSED_ON', 'ghcr.io/x/y:1.0'],
    ],
    [
      ['--env=A_KEY=b=c', '-eX=y', 'img'],
      ['--env=A_KEY=********', '-eX=********', 'img'],
    ],
    [
      ['--env-file=.env', '--port=80'],
      ['--env-file=.env', '--port=80'],
    ],
    [
      ['NAME=value', 'node', 'a.js'],
      ['NAME=********', 'node', 'a.js'],
    ],
    [
      ['--token', 'abc', '--api-key=abc'],
      ['--token', '********', '--api-key=********'],
    ],
    [
      ['mcp-remote', 'https://x.example/mcp?a=b', '--header', 'Authorization: Bearer abc'],
      ['mcp-remote', 'https://x.example/mcp?a=b', '--header', 'Authorization: ********'],
    ],
    [
      ['-c', 'curl -H "x: ghp_0123456789abcdefghijKL"'],
      ['-c', 'curl -H "x: ********"'],
    ],
    [
      ['-y', '@scope/server@1.2.3', '/home/me/notes'],
      ['-y', '@scope/server@1.2.3', '/home/me/notes'],
    ],
  ];
  for (const [given, wanted] of cases) {
    assert.deepEqual(maskedArguments(given), wanted);
    assert.deepEqual(maskedArguments(wanted), wanted, 'what is masked stays so');
  }
  assert.deepEqual(heldValues(['-e', 'A=b', '--token=c', '-H', 'X-Key: d']), [
    { name: 'A', value: 'b' },
    { name: '--token', value: 'c' },
    { name: 'X-Key', value: 'd' },
  ]);
});
