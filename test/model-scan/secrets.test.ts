/** Keys of models under test are in no answer, error, log line, result, report or archive, and not in the database in plain text. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArchive } from '#base/archives/read-archive.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { openTestService } from '#services/model-scan/fixtures/service.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { assertNowhere, dumpTables } from '../fixtures/secrets.ts';

const keys = {
  right: 'sk-right-Key/of+target=1234',
  wrong: 'sk-wrong-Key/of+target=5678',
  header: 'Head-er/Secret+90ab',
};
const folder = await mkdtemp(join(tmpdir(), 'bulwark-keys-'));
const logFile = join(folder, 'log');
const service = await openTestService({}, undefined, openSync(logFile, 'a'));
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const { call, tokens, until, app, db } = service;
const as = tokens.admin;
const cases = [...readDataSets().values()].flatMap((set) => set.cases);

const seen: string[] = [];
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape.
async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
  const answer = await call(method, path, { as, ...(body && { body }) });
  seen.push(JSON.stringify([answer.body, answer.headers]));
  return answer.body;
}

async function filesOf(scanId: string): Promise<Record<string, string>> {
  const { rawPayload } = await app.inject({
    method: 'POST',
    url: '/v1/scan/download',
    headers: { authorization: `Bearer ${as}` },
    payload: { scan_id: scanId },
  });
  const files: Record<string, string> = {};
  await readArchive(rawPayload, async (entry) => {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.content) chunks.push(chunk as Buffer);
    const content = Buffer.concat(chunks);
    files[entry.path] = content.toString('latin1');
    if (!entry.path.endsWith('.pdf')) return;
    const pdf = join(folder, 'report.pdf');
    await writeFile(pdf, content);
    files['the text of the PDF'] = execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' });
  });
  return files;
}

test('keys are told nowhere', { timeout: 300_000 }, async () => {
  // This target repeats what it is sent, its headers too.
  await using echo = await startScriptedTarget({ persona: 'echo', cases });
  await using strict = await startScriptedTarget({ persona: 'careful', cases, apiKey: keys.right });
  const model = (base_url: string, api_key: string) => ({
    base_url,
    api_key,
    model_name: 'scripted',
    extra_headers: { 'x-team': keys.header },
  });
  const start = async (scan_name: string, of: object, ...until_: string[]) => {
    const { scan_id } = await ask('POST', '/v1/scan/start', {
      scan_name,
      model: of,
      datasets: [{ name: 'FINRA' }],
    });
    assert.ok(scan_id, seen.at(-1));
    seen.push(JSON.stringify(await until(scan_id, ...until_)));
    return scan_id as string;
  };
  const finished = await start('echo', model(echo.url, keys.right), 'Finished');
  const failed = await start('wrong', model(strict.url, keys.wrong), 'Failed');
  await start('nobody', model('http://127.0.0.1:9/v1', keys.right), 'Failed');
  await ask('POST', '/v1/scan/retry', { scan_id: failed, api_key: `${keys.wrong}` });
  await until(failed, 'Failed');
  await ask('POST', '/v1/scan/retry', { scan_id: failed, api_key: keys.right });
  await until(failed, 'Finished');
  for (const scan_id of [finished, failed])
    for (const path of ['progress', 'summary']) await ask('POST', `/v1/scan/${path}`, { scan_id });
  await ask('POST', '/v1/scan/probe', { model: model(strict.url, keys.wrong) });
  await ask('GET', `/v1/scan/${finished}/results?limit=200`);
  // What is wrong with a request is said without what it held.
  const wrong = {
    scan_name: 'x',
    model: { ...model('nowhere', keys.right), api_key: [keys.right] },
    datasets: [],
  };
  await ask('POST', '/v1/scan/start', wrong);
  await ask('POST', '/v1/scan/start', {
    ...wrong,
    model: { ...wrong.model, api_key: keys.right, temperature: 'hot' },
  });
  const files = await filesOf(finished);
  assert.match(files['the text of the PDF'] ?? '', /FINRA/);
  // The log is written every quarter of a second.
  await sleep(1000);
  const log = await readFile(logFile, 'utf8');
  assert.ok(log.length > 100 && seen.length > 10);
  assertNowhere(Object.values(keys), {
    answers: seen.join('\n'),
    log,
    database: await dumpTables(db),
    ...files,
  });
});
