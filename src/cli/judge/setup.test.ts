/** `bulwark judge setup` in front of scripted servers that list their models as Ollama, vLLM, llama.cpp and LM Studio do. */
import assert from 'node:assert/strict';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startScriptedModel } from '../../../test/fixtures/scripted-model/server.ts';
import type { Script } from '../../../test/fixtures/scripted-model/script.ts';
import { folder, inFolder, run } from '../eval/fixtures/cli.ts';
import { askServer, findServers, usualAddresses } from './find-servers.ts';
import { readProbe } from './probe.ts';

const rows = readProbe();

/** The text as the question holds it: JSON inside a fence. */
const pattern = (text: string) =>
  Array.from(text)
    .map((sign) => (/[a-z0-9 ]/i.test(sign) ? sign : '.{1,12}'))
    .slice(0, 60)
    .join('');

/** Finds every violation of the probe, except the last `missed`, and the given number of harmless texts too. */
function judges({ missed = 0, alarms = 0 } = {}): NonNullable<Script['rules']> {
  const violating = rows.filter(({ violates }) => violates);
  const harmless = rows.filter(({ violates }) => !violates);
  return [...violating.slice(0, violating.length - missed), ...harmless.slice(0, alarms)].map(({ text }) => ({
    when: { user: pattern(text) },
    do: { verdict: { A: 0.95, B: 0.04, C: 0.01 } },
  }));
}
const nothing = { verdict: { A: 0.01, B: 0.02, C: 0.97 } };

const ollama = await startScriptedModel({
  ownedBy: 'library',
  models: ['llama-small', 'nomic-embed-text', 'bad\u001B[2Jname'],
  rules: judges({ missed: 25 }),
  always: nothing,
});
const vllm = await startScriptedModel({
  ownedBy: 'vllm',
  models: ['good-judge'],
  rules: judges(),
  always: nothing,
});
const llamaCpp = await startScriptedModel({
  ownedBy: 'llamacpp',
  models: ['coarse.gguf'],
  rules: judges({ missed: 4, alarms: 2 }),
  always: { ...nothing, logprobs: 'missing' },
});
const lmStudio = await startScriptedModel({
  ownedBy: 'organization_owner',
  models: ['broken-model'],
  always: { status: 400 },
});
after(async () => {
  for (const server of [ollama, vllm, llamaCpp, lmStudio]) await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const at = (...servers: { url: string }[]) => servers.flatMap(({ url }) => ['--at', url]);

interface Outcome {
  embedded: { right: number };
  models: {
    server: string;
    model: string;
    llm: { right: number } | null;
    cascade: { right: number } | null;
    logprobs: boolean | null;
    error: string | null;
  }[];
  best: string | null;
  better: boolean;
  written: string | null;
}

test('the probe has sixty texts, half of them violations', () => {
  assert.equal(rows.length, 60);
  assert.equal(rows.filter(({ violates }) => violates).length, 30);
  assert.equal(new Set(rows.map(({ text }) => text)).size, 60);
  assert.ok(
    rows.slice(0, 14).some(({ violates }) => !violates),
    'both kinds come early',
  );
});

test('the usual servers are looked for on their own ports of this machine', async () => {
  assert.deepEqual(
    usualAddresses.map((address) => new URL(address).host),
    ['127.0.0.1:11434', '127.0.0.1:8000', '127.0.0.1:8080', '127.0.0.1:1234'],
  );
  const found = await findServers([ollama, vllm, llamaCpp, lmStudio].map(({ url }) => `${url}/`));
  assert.deepEqual(
    found.map(({ kind, models }) => [kind, models]),
    [
      ['Ollama', ['llama-small']],
      ['vLLM', ['good-judge']],
      ['llama.cpp', ['coarse.gguf']],
      ['LM Studio', ['broken-model']],
    ],
  );
});

test('whatever else listens on such a port is passed over', async () => {
  const answers = ['<html>', '{"data": "none"}', `{"data": [], "x": "${'x'.repeat(2 ** 21)}"}`];
  for (const body of answers) {
    const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    assert.equal(await askServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`), undefined);
    server.close();
  }
  assert.equal(await askServer('http://127.0.0.1:1/v1'), undefined);
});

test('an address may be without the path of the API', async () => {
  const origin = vllm.url.replace(/\/v1\/?$/, '');
  assert.deepEqual(
    (await findServers([origin])).map(({ baseUrl }) => baseUrl),
    [`${origin}/v1`],
  );
});

test('a model that never answers costs no more than its minutes, and nothing measured is a failure', async () => {
  const list = JSON.stringify({ data: [{ id: 'silent' }] });
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models') === true) response.end(list);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { code, out, err } = await run(['judge', 'setup', '--at', url, '--minutes', '0.1', '--json']);
  server.closeAllConnections();
  server.close();
  assert.equal(code, 1, err);
  assert.match(err, /No model could be measured/);
  const [silent] = (JSON.parse(out) as Outcome).models;
  assert.match(silent?.error ?? '', /6000 ms/);
});

test('a configuration file that does not exist yet can be named, and is written', async () => {
  const file = inFolder('new.yaml');
  const { code, err } = await run(['judge', 'setup', ...at(vllm)], { BULWARK_CONFIG: file });
  assert.equal(code, 0, err);
  assert.match(await readFile(file, 'utf8'), /good-judge/);
});

test('the best model is written to the file, with the rest of the file as it was', async () => {
  await writeFile(
    inFolder('bulwark.yaml'),
    '# Ours.\nllm:\n  attempts: 2\nlog:\n  level: warn # loud enough\n',
  );
  await chmod(inFolder('bulwark.yaml'), 0o600);
  const { code, out, err } = await run(['judge', 'setup', ...at(ollama, vllm, llamaCpp, lmStudio), '--json']);
  assert.equal(code, 0, err);
  const outcome = JSON.parse(out) as Outcome;
  const [small, good, coarse, broken] = outcome.models;
  // What the embedded engine takes for an attack on the judge is flagged whatever the model says.
  assert.ok(good!.llm!.right >= 58 && good!.cascade!.right >= 55, JSON.stringify(good));
  assert.ok(coarse!.llm!.right >= 52 && coarse!.llm!.right <= 57, JSON.stringify(coarse));
  assert.deepEqual([good?.logprobs, coarse?.logprobs], [true, false]);
  assert.ok(small!.llm!.right >= 33 && small!.llm!.right <= 42, JSON.stringify(small));
  assert.match(broken?.error ?? '', /answered 400/);
  assert.deepEqual([outcome.best, outcome.better, outcome.written], ['good-judge', true, 'bulwark.yaml']);
  assert.ok(outcome.embedded.right < good!.cascade!.right);
  const written = await readFile(inFolder('bulwark.yaml'), 'utf8');
  assert.match(written, /^# Ours\./);
  assert.match(written, /attempts: 2/);
  assert.match(written, /level: warn # loud enough/);
  assert.match(written, new RegExp(`base_url: "?${vllm.url}`));
  assert.match(written, /model: good-judge/);
  assert.equal((await stat(inFolder('bulwark.yaml'))).mode & 0o777, 0o600);
  assert.match(err, /vLLM at http/);
});

test('what is configured already is the judge to beat', async () => {
  const { code, out, err } = await run(['judge', 'setup', ...at(llamaCpp)]);
  assert.equal(code, 0, err);
  assert.match(out, /good-judge, which is configured, judges best; nothing changes/);
  assert.match(out, /engine +right of 60 +recall/);
});

test('a model that judges no better is not configured', async () => {
  await rm(inFolder('bulwark.yaml'), { force: true });
  const { code, out, err } = await run(['judge', 'setup', ...at(ollama)]);
  assert.equal(code, 0, err);
  assert.match(out, /that may be chance, so nothing changes/);
  await assert.rejects(stat(inFolder('bulwark.yaml')));
});

test('a dry run shows the change and writes nothing', async () => {
  const { code, out, err } = await run(['judge', 'setup', ...at(vllm), '--dry-run'], {
    BULWARK_LLM_MODEL: 'unused',
    BULWARK_POLICY_GUARD_JUDGE_ENGINE: 'embedded',
  });
  assert.equal(code, 0, err);
  assert.match(out, /model: "good-judge"/);
  assert.match(out, /Not written/);
  assert.match(out, /policy_guard_judge\.engine is embedded: guards use the model only where/);
  assert.match(out, /BULWARK_LLM_MODEL in the environment override/);
  await assert.rejects(stat(inFolder('bulwark.yaml')));
});

test('the key of one server is not sent to another', async () => {
  const { code, err } = await run(['judge', 'setup', ...at(vllm)], {
    BULWARK_LLM_BASE_URL: 'https://models.invalid/v1',
    BULWARK_LLM_MODEL: 'theirs',
    BULWARK_LLM_API_KEY: 'sk-elsewhere',
  });
  assert.equal(code, 1);
  assert.match(err, /llm\.api_key belongs to another server/);
  assert.doesNotMatch(err, /sk-elsewhere/);
  assert.equal(vllm.stats.authorization, undefined);
});

test('where nothing answers, or an address is none, the message says what to do', async () => {
  const nobody = await run(['judge', 'setup', '--at', 'http://127.0.0.1:1/v1']);
  assert.equal(nobody.code, 1);
  assert.match(nobody.err, /No model server answers at http:\/\/127\.0\.0\.1:1\/v1\. Start one/);
  const wrong = await run(['judge', 'setup', '--at', 'http://me:secret@127.0.0.1/v1']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /--at takes addresses/);
  assert.doesNotMatch(wrong.err, /secret/);
});

test('a model that is too slow is given up, and the outcome says so', async () => {
  vllm.play({ ownedBy: 'vllm', models: ['good-judge'], always: { delayMs: 400 } });
  const { code, out, err } = await run([
    'judge',
    'setup',
    ...at(vllm),
    '--minutes',
    '0.1',
    '--concurrency',
    '2',
  ]);
  assert.equal(code, 1, err);
  assert.match(out, /good-judge was not measured: It is too slow: \d+ of 60 texts in time/);
});
