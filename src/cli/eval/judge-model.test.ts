/** Engines that call a language model, with the scripted one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedModel } from '../../../test/fixtures/scripted-model/server.ts';
import { attack, folder, harmless, inFolder, report, row, run, start, write } from './fixtures/cli.ts';

const model = await startScriptedModel();
after(async () => {
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const env = {
  BULWARK_LLM_BASE_URL: model.url,
  BULWARK_LLM_MODEL: 'scripted',
  BULWARK_LLM_ATTEMPT_TIMEOUT_MS: '60000',
  BULWARK_LLM_ATTEMPTS: '1',
};
const policies = `policies:
  - name: Pastry
    description: Nobody speaks about pastry.
    block_activities: [Baking croissants]
    safe_activities: []
`;
const pastryRow = (words: string, label: 0 | 1) => ({ text: words, labels: { Pastry: label } });
const about = (user: string, action: object) => ({ when: { user }, do: action });
const judged = () =>
  model.stats.requests.filter(({ messages }) => messages.some(({ content }) => content.includes('The data:')))
    .length;

test('llm: probabilities come from the model, each row costs one question, and the cost is reported', async () => {
  model.play({ rules: [about('croissant', { verdict: { A: 0.7, B: 0.2, C: 0.1 } })] });
  await write('pastry.jsonl', [
    pastryRow('How do I fold croissants?', 1),
    pastryRow('A croissant, please.', 1),
    pastryRow('A croissant, please.', 1),
    ...harmless.map((words) => pastryRow(words, 0)),
  ]);
  await appendFile(inFolder('policies.yaml'), policies);
  const args = [
    'eval',
    'text',
    'pastry.jsonl',
    '--policies',
    'policies.yaml',
    '--engine',
    'llm',
    '--json',
    'llm.json',
  ];
  const { code, out, err } = await run(args, env);
  assert.equal(code, 0, err);
  const { engine, results, cost, reliability } = await report('llm.json');
  assert.equal(engine.kind, 'llm');
  assert.deepEqual([results[0]?.recall, results[0]?.false_positive_rate], [1, 0]);
  // At medium strictness: A and half of B.
  assert.equal(reliability[0]?.bins.findLast(({ rows }) => rows > 0)?.mean_score, 0.8);
  assert.equal(judged(), 5, 'five different texts');
  assert.deepEqual([cost?.rows_asked, cost!.calls >= 5, cost!.prompt_tokens > 0], [6, true, true]);
  assert.match(out, /asked about 6 of 6 rows: \d+ calls, [\d,]+ tokens in, [\d,]+ out/);
});

test('cascade: only rows the embedded engine is unsure of are sent to the model', async () => {
  model.play({});
  const before = judged();
  await write('sure.jsonl', [row(attack, 1), ...harmless.map((words) => row(words, 0))]);
  const narrow = { ...env, BULWARK_POLICY_GUARD_JUDGE_BANDS: '*=0.49..0.51' };
  const sure = await run(
    ['eval', 'text', 'sure.jsonl', '--engine', 'cascade', '--json', 'sure.json'],
    narrow,
  );
  assert.equal(sure.code, 0, sure.err);
  assert.equal(judged(), before);
  assert.equal((await report('sure.json')).cost?.rows_asked, 0);
  const wide = { ...env, BULWARK_POLICY_GUARD_JUDGE_BANDS: '*=0..1' };
  const asked = await run(
    ['eval', 'text', 'sure.jsonl', '--engine', 'cascade', '--json', 'asked.json'],
    wide,
  );
  assert.equal(asked.code, 0, asked.err);
  assert.equal((await report('asked.json')).cost?.rows_asked, 4);
});

test('several engines are compared side by side', async () => {
  model.play({});
  const { code, out, err } = await run(
    ['eval', 'text', 'sure.jsonl', '--engine', 'embedded,cascade,llm', '--json', 'all.json'],
    env,
  );
  assert.equal(code, 0, err);
  assert.match(out, /AUPRC embedded +AUPRC cascade +AUPRC llm/);
  assert.match(out, /^prompt_injection /m);
  assert.match(out, /^engine +rows +not judged/m);
  for (const kind of ['embedded', 'cascade', 'llm'])
    assert.equal((await report(`all.${kind}.json`)).engine.kind, kind);
  const wrong = await run(['eval', 'text', 'sure.jsonl', '--engine', 'llm,oracle'], env);
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.err, /embedded, llm, cascade/);
});

test('a missing or unreachable model is reported', async () => {
  const none = await run(['eval', 'text', 'sure.jsonl', '--engine', 'llm']);
  assert.notEqual(none.code, 0);
  assert.match(none.err, /BULWARK_LLM_BASE_URL/);
  model.play({ rules: [about('Peru', { status: 500 })] });
  const { code, err } = await run(
    ['eval', 'text', 'sure.jsonl', '--engine', 'llm', '--json', 'gap.json'],
    env,
  );
  assert.equal(code, 0, err);
  const { counts } = await report('gap.json');
  // A fallback verdict is not counted as the model's.
  assert.deepEqual([counts.judged, counts.not_judged], [3, 1]);
  assert.match(err, /did not judge this row/);
});

test('after Ctrl-C the next run continues and sends no row to the model again', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => pastryRow(`Question number ${i} about trains.`, 0));
  await write('many.jsonl', [pastryRow('A croissant, please.', 1), ...rows]);
  model.play({ always: { delayMs: 100 } });
  const args = [
    'eval',
    'text',
    'many.jsonl',
    '--policies',
    'policies.yaml',
    '--engine',
    'llm',
    '--resume',
    'kept.jsonl',
  ];
  const before = judged();
  const child = start([...args, '--json', 'part.json'], env);
  const ended = once(child, 'close');
  const out = text(child.stdout);
  for (let i = 0; judged() - before < 10 && i < 3000; i++) await sleep(20);
  child.kill('SIGINT');
  assert.equal((await ended)[0], 130);
  assert.match(await out, /Stopped early: interrupted by Ctrl-C/);
  const part = await report('part.json');
  assert.ok(part.counts.judged >= 8 && part.counts.judged < 61);
  // As left by a process that was killed in the middle of a line.
  const kept = (await readFile(inFolder('kept.jsonl'), 'utf8')).trimEnd();
  assert.equal(kept.split('\n').length, part.counts.judged + 1);
  await appendFile(inFolder('kept.jsonl'), '["half a l');
  model.play({});
  const soFar = judged();
  const { code, err } = await run([...args, '--json', 'whole.json'], env);
  assert.equal(code, 0, err);
  const whole = await report('whole.json');
  assert.equal(whole.counts.judged, 61);
  assert.equal(judged() - soFar, 61 - part.counts.judged);
  const other = await run([...args, '--threshold', '0.4'], env);
  assert.notEqual(other.code, 0);
  assert.match(other.err, /another judge/);
});

test('concurrent rows stay within the requested limit', async () => {
  model.play({ always: { delayMs: 30 } });
  await run(
    ['eval', 'text', 'many.jsonl', '--policies', 'policies.yaml', '--engine', 'llm', '--concurrency', '3'],
    env,
  );
  assert.ok(model.stats.mostInFlight <= 3, String(model.stats.mostInFlight));
});
