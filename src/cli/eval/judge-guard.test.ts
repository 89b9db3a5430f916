import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { attack, folder, harmless, inFolder, report, row, run, start, write } from './fixtures/cli.ts';

test('a running guard is measured with its own policies and thresholds', async () => {
  await using stack = new AsyncDisposableStack();
  const server = start(['up'], {
    BULWARK_DATA_DIR: inFolder('data'),
    BULWARK_PORT_POLICY_GUARD: '0',
    BULWARK_PORT_POLICY_GUARD_GRPC: '0',
    BULWARK_PORT_ACTION_GUARD: '0',
    BULWARK_PORT_AGENT_GATEWAY: '0',
    BULWARK_PORT_SHADOW_AI: '0',
    BULWARK_PORT_MCP_SCAN: '0',
    BULWARK_PORT_DASHBOARD: '0',
  });
  stack.defer(async () => {
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  });
  server.stderr.resume();
  let banner = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    banner += String(chunk);
    if (/-d '.*'\n/.test(banner)) break;
  }
  const env = {
    BULWARK_URL: /policy-guard\s+(\S+)/.exec(banner)![1]!,
    BULWARK_API_KEY: (await readFile(inFolder('data/secrets/local-api-key'), 'utf8')).trim(),
  };
  const guard = /gd_[\w-]+/.exec(banner)![0];
  await write('rows.jsonl', [row(attack, 1), row(harmless[0], 0), row(harmless[1], 0)]);
  await run(['eval', 'text', 'rows.jsonl', '--json', 'here.json']);
  const args = ['eval', 'text', 'rows.jsonl', '--guard', guard];
  const asked = await run([...args, '--json', 'guard.json', '--compare', 'here.json'], env);
  assert.equal(asked.code, 0, asked.err);
  const [byGuard, here] = [await report('guard.json'), await report('here.json')];
  assert.deepEqual(
    byGuard.detectors.map(({ id }) => id).sort(),
    here.detectors.map(({ id }) => id).sort(),
    'the default policies accept the labels of the nine detectors',
  );
  // A guard returns probabilities with six decimals.
  const coarse = (results: unknown): unknown =>
    JSON.parse(
      JSON.stringify(results, (_, value: unknown) =>
        typeof value === 'number' ? Number(value.toFixed(4)) : value,
      ),
    );
  assert.deepEqual(
    coarse(byGuard.results),
    coarse(here.results),
    'the guard and the engine in this process agree',
  );
  assert.equal(byGuard.detectors.length, 9);
  assert.match(asked.out, /Mind: The earlier run was judged by embedded/);
  await write('long.jsonl', [
    row(attack, 1, { context: 'x'.repeat(100_001) }),
    row(attack, 1),
    row(harmless[0], 0, { context: [{ role: 'user', content: 'Hello' }] }),
  ]);
  const partly = await run(['eval', 'text', 'long.jsonl', '--guard', guard, '--concurrency', '1'], env);
  assert.equal(partly.code, 0);
  assert.match(partly.out, /2 rows of 1 file judged · 1 not judged/);
  assert.match(partly.err, /Rows that could not be judged: 1:\n {2}long\.jsonl:1 .*100000/);
  const refused = await run(args, { ...env, BULWARK_API_KEY: 'blwk_no' });
  assert.equal(refused.code, 1);
  const gone = await run([...args.slice(0, -1), 'gd_none'], env);
  assert.match(gone.err, /not found/);
});
