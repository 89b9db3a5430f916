/** What is wrong with a command line or a file is told in a sentence, with the exit code that scripts can rely on. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { folder, inFolder, run } from './eval/fixtures/cli.ts';

const taken = createServer();
await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
const port = String((taken.address() as AddressInfo).port);
writeFileSync(inFolder('broken.yaml'), 'tests: [\n  - a: b: c\n');
writeFileSync(inFolder('cases.jsonl'), '{"prompt": "Insult my landlord."}\n');
writeFileSync(inFolder('cases.xlsx'), 'none');
after(async () => {
  await new Promise((resolve) => taken.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const target = ['model', 'target', '--port', port];
const agent = ['red-team', 'agent', '--port', port];
const simulator = ['shadow-ai', 'simulate', '--port', port];
const importing = (file: string, ...more: string[]) => [
  'model',
  'datasets',
  'import',
  inFolder(file),
  ...more,
];
const scan = (...more: string[]) => [
  'model',
  'scan',
  'x',
  '--base-url',
  'http://127.0.0.1:1/v1',
  '--model',
  'm',
  ...more,
];
const cases: [code: number, args: string[], message: RegExp, env?: Record<string, string>][] = [
  [1, target, new RegExp(`Port ${port} on 127.0.0.1, for the scripted model, is in use .* with --port`)],
  [1, agent, new RegExp(`Port ${port} on 127.0.0.1, for the scripted agent, is in use .* with --port`)],
  [1, simulator, new RegExp(`Port ${port} on 127.0.0.1, for the simulator, is in use .* with --port`)],
  [1, importing('broken.yaml'), /broken\.yaml: the file is not YAML: .* at line \d+, column \d+\.$/],
  [2, importing('cases.jsonl', '--format', 'nope'), /Allowed choices are jsonl, csv, promptfoo, garak/],
  [2, importing('cases.xlsx'), /cases\.xlsx does not tell its format: give --format/],
  [
    1,
    ['model', 'download', 'scan_x', '-o', inFolder('none/x.zip')],
    /x\.zip cannot be written: there is no folder/,
  ],
  [2, scan('--sandbox', '--dataset', 'FINRA'), /'--sandbox' cannot be used with option '--dataset <name>'/],
  [2, ['eval', 'text', 'rows.jsonl', '--fail-on-regression', '1'], /--fail-on-regression needs --compare/],
  [2, ['eval', 'actions', 'rows.jsonl', '--fail-on-regression', '1'], /--fail-on-regression needs --compare/],
  [
    1,
    ['check-config'],
    /BULWARK_ALLOW_PRIVATE_NETWORK must be true, or addresses/,
    { BULWARK_ALLOW_PRIVATE_NETWORK: 'foo' },
  ],
  [
    1,
    ['check-config'],
    /Authentication is off and 0\.0\.0\.0 can be reached/,
    { BULWARK_HOST: '0.0.0.0', BULWARK_AUTH_ENABLED: 'false' },
  ],
  [2, ['action', 'create-set', 's1'], /required option '--preset <name>' not specified/],
  [
    1,
    ['guard', 'check', 'x', '--policies', inFolder('cases.jsonl')],
    /cases\.jsonl: 'policies' is required/i,
  ],
  [2, ['judge', 'setup', '--at', 'foo'], /--at takes addresses such as/],
];
for (const [code, args, message, env] of cases)
  test(`${args.slice(0, 3).join(' ')} ends with ${code} and: ${message.source.slice(0, 40)}`, async () => {
    const ended = await run(args, env);
    assert.equal(ended.code, code, ended.err);
    const told = ended.err.trim();
    assert.match(told, message);
    assert.doesNotMatch(told, /\n\s+at /);
  });
