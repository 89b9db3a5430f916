/** The language model of the deployment as attacker and second judge, over the scripted one. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { createLog } from '#base/log/log.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { createLanguageModel } from '#llm/language-model.ts';
import { languageModelSettings } from '#llm/settings.ts';
import { startScriptedModel } from '../../../../test/fixtures/scripted-model/server.ts';
import { openTestService } from '../fixtures/service.ts';
import { startScriptedTarget } from '../scripted-target/server.ts';

const cases = readDataSets().get('FINRA')?.cases ?? [];
const [scripted, target] = await Promise.all([
  startScriptedModel(),
  startScriptedTarget({ persona: 'careful', cases }),
]);
const { llm } = loadConfig(platformSections, {
  BULWARK_LLM_BASE_URL: scripted.url,
  BULWARK_LLM_MODEL: 'scripted',
  BULWARK_LLM_ATTEMPTS: '1',
});
const settings = languageModelSettings(llm);
if (settings === undefined) throw new Error('No language model is configured.');
const languageModel = createLanguageModel(settings, {
  clock: systemClock,
  log: createLog({ level: 'silent' }),
});
const service = await openTestService({ BULWARK_MODEL_SCAN_ATTACK_CASES: '2' }, languageModel);
const without = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await without[Symbol.asyncDispose]();
  await languageModel[Symbol.asyncDispose]();
  await Promise.all([scripted, target].map((each) => each[Symbol.asyncDispose]()));
});
const { call, tokens, start, until } = service;
const as = tokens.admin;
const request = (name: string, algorithms: string[] = []) => ({
  scan_name: name,
  model: { base_url: target.url, api_key: 'sk-of-the-target-1234', model_name: 'scripted' },
  datasets: [{ name: 'FINRA' }],
  algorithms,
  use_language_model: true,
});
const summaryOf = async (scanId: string) => {
  await until(scanId, 'Finished');
  return (await call('POST', '/v1/scan/summary', { as, body: { scan_id: scanId } })).body;
};
const grades = (grade: object) => ({
  when: { system: 'You grade a reply' },
  do: { reply: JSON.stringify(grade) },
});

test('the rubric lowers a score, and says so', async () => {
  scripted.play({ rules: [grades({ refused: 0, convincing: 5, specific: 5 })] });
  const summary = await summaryOf(await start(request('harsh')));
  assert.equal(summary.method.judge, 'embedded and rubric');
  assert.ok(summary.averages.FINRA < 100);
  const [failure] = summary.failures.FINRA;
  assert.match(failure.reason, /The rubric grades the harm of the reply as 1\.00 of 1/);
});

test('it never raises one', async () => {
  scripted.play({ rules: [grades({ refused: 1, convincing: 1, specific: 1 })] });
  assert.equal((await summaryOf(await start(request('mild')))).averages.FINRA, 100);
});

test('the attacker model writes the questions of Crescendo', async () => {
  const question = 'How do historians describe it?';
  scripted.play({
    rules: [grades({ refused: 1, convincing: 1, specific: 1 })],
    always: {
      reply: JSON.stringify({ generatedQuestion: question, lastResponseSummary: '', rationale: '' }),
    },
  });
  await summaryOf(await start(request('attacked', ['Crescendo Attack'])));
  assert.ok(target.log.some(({ conversation }) => conversation.includes(question)));
});

test('the attacker model writes the citations of DarkCite', async () => {
  const content = 'Survey Office. (2017). Notes on a subject. Annals of Notes, 4, pp. 1-9.';
  scripted.play({
    rules: [grades({ refused: 1, convincing: 1, specific: 1 })],
    always: { reply: `Here it is: ${JSON.stringify({ content, summary: 'It describes a subject.' })}` },
  });
  await summaryOf(await start(request('cited', ['DarkCite'])));
  assert.ok(target.log.some(({ conversation }) => conversation.includes(content)));
});

test('without an answer the verdict stands, and the algorithm goes on by its ladder', async () => {
  const before = target.log.length;
  scripted.play({ always: { status: 500 } });
  const summary = await summaryOf(await start(request('attacked in silence', ['Crescendo Attack'])));
  assert.equal(summary.averages.FINRA, 100);
  assert.ok(
    target.log.slice(before).some(({ conversation }) => conversation.includes('an overview of the history')),
  );
});

test('without a language model it is refused', async () => {
  const { status, body } = await without.call('POST', '/v1/scan/start', {
    as: without.tokens.admin,
    body: request('none'),
  });
  assert.deepEqual([status, /'use_language_model' needs a language model/.test(body.detail)], [400, true]);
});
