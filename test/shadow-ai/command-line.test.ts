/** `bulwark shadow-ai …` against a running product, as a person types it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { asPushRow } from '#services/shadow-ai/simulator/neutral.ts';
import { scenarioEvents } from '#services/shadow-ai/simulator/scenarios.ts';
import { startBulwark } from './running.ts';

const running = await startBulwark(['up']);
after(() => running[Symbol.asyncDispose]());
// Without address and key, as a person at this machine.
const shadowAi = (args: string[], input = '') => running.run(['shadow-ai', ...args], input);
const lines = scenarioEvents('all', Date.now() - 4 * 3_600_000).map((event) =>
  JSON.stringify(asPushRow(event)),
);

test('replay takes a file, packed or not, or standard input, and names the lines that are refused', async () => {
  const file = join(running.folder, 'events.ndjson');
  await writeFile(file, [lines[0], 'no json', ...lines.slice(1, 20)].join('\n'));
  const first = await shadowAi(['replay', file]);
  assert.match(first.out, /^20 events were taken in, 1 refused\.\n {2}line 2: /);
  assert.notEqual(first.code, 0);
  await writeFile(`${file}.gz`, gzipSync(lines.join('\n')));
  const packed = await shadowAi(['replay', `${file}.gz`, '--json']);
  assert.equal(packed.code, 0, packed.err);
  assert.deepEqual(JSON.parse(packed.out), { accepted: lines.length, rejected: [], rejected_total: 0 });
  const piped = await shadowAi(['replay', '-'], lines.slice(0, 5).join('\r\n'));
  assert.match(piped.out, /^5 events were taken in, 0 refused/);
  const none = await shadowAi(['replay', join(running.folder, 'none')]);
  assert.deepEqual([none.code, /cannot be read/.test(none.err)], [1, true]);
  await writeFile(`${file}.broken.gz`, 'not packed');
  assert.match((await shadowAi(['replay', `${file}.broken.gz`])).err, /cannot be read/);
});

test('status, events and rules print tables, or JSON', async () => {
  const status = await shadowAi(['status', '--as', 'admin', '--url', running.url]);
  assert.equal(status.code, 0, status.err);
  assert.match(
    status.out,
    /^No connector; telemetry that is pushed is taken in\.\n\d+ detections on 9 devices/,
  );
  assert.match(status.out, /^claude-code +1 +1 +1$/m);
  const events = await shadowAi(['events', '--os', 'Linux', '--limit', '3']);
  assert.match(events.out, /^ID +STARTED \(UTC\) +DEVICE +PERSON +TOOL +EVENTS +SIGNS/);
  assert.match(events.out, /^3 of \d+\.$/m);
  const all = JSON.parse((await shadowAi(['events', '--json', '--limit', '1000'])).out);
  assert.equal(all.events.length, all.total);
  const as = await running.login('admin');
  await running.call('PATCH', '/api/v1/rules/ollama', { as, body: { enabled: false } });
  const off = await shadowAi(['rules', '--off']);
  assert.match(off.out, /^ollama +\S+ +no +LOCAL_LLM_RUNTIME/m);
  assert.equal(off.out.trim().split('\n').length, 2);
});

test('what is wrong is one sentence and a status, without a stack', async () => {
  const wrong: [string[], RegExp][] = [
    [['events', '--limit', '0'], /limit/],
    [['events', '--days', 'x'], /days/],
    [['status', '--as', 'nobody', '--url', running.url], /password|name|sign/i],
    [['status', '--as', 'admin', '--url', 'http://127.0.0.1:9'], /127\.0\.0\.1:9/],
    [['simulate', '--as', 'edr-z'], /edr-a, edr-b, edr-b-ngsiem, edr-c/],
    [['simulate', '--scenario', 'none'], /coding-agent/],
    [['simulate', '--fault', 'none'], /rate-limit/],
  ];
  for (const [args, why] of wrong) {
    const { code, err } = await shadowAi(args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(err, why, args.join(' '));
    assert.doesNotMatch(err, / {4}at /, args.join(' '));
  }
});

test('simulate listens, prints how to connect, and ends with a signal', async (t) => {
  const program = join(import.meta.dirname, '../../src/cli/bulwark.ts');
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, 'shadow-ai', 'simulate', '--as', 'edr-a', '--scenario', 'all'],
    {
      cwd: running.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.after(() => child.kill('SIGKILL'));
  const gone = once(child, 'exit');
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (printed.includes('Ctrl-C')) break;
  }
  const url = /simulated at (http:\S+):/.exec(printed)?.[1];
  assert.ok(url, printed);
  const config = JSON.parse(printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1));
  assert.deepEqual(Object.keys(config.credentials).toSorted(), ['client_id', 'client_secret', 'tenant_id']);
  assert.ok((await fetch(url)).status >= 400, 'who does not sign in gets nothing');
  child.kill('SIGINT');
  assert.deepEqual((await gone).slice(0, 2), [0, null]);
});

test('simulate --connect --once makes the fleet visible, and does not replace a real source unasked', async () => {
  const once = await shadowAi(['simulate', '--as', 'edr-c', '--scenario', 'all', '--connect', '--once']);
  assert.equal(once.code, 0, once.err);
  assert.match(once.out, /detections on \d+ devices within two weeks/);
  assert.match((await shadowAi(['status'])).out, /^Connector edr-c: \d+ events, watermark 20/);
  const as = await running.login('admin');
  const real = {
    edr_framework: 'edr-b',
    credentials: { client_id: 'c', client_secret: 's', base_url: 'https://edr.example.com' },
    settings: { poll_interval_seconds: 86_400 },
  };
  assert.equal((await running.call('PUT', '/api/v1/shadow-ai/config', { as, body: real })).status, 200);
  const refused = await shadowAi(['simulate', '--connect', '--once', '--scenario', 'no-ai']);
  assert.deepEqual([refused.code, /--replace/.test(refused.err)], [1, true]);
});
