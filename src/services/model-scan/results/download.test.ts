import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readArchive } from '#base/archives/read-archive.ts';
import { sandboxCases } from '#engine/model-scan/data-sets.ts';
import { openTestService } from '../fixtures/service.ts';
import { startScriptedTarget } from '../scripted-target/server.ts';

const key = 'sk-of-the-target-1234567890';
const store = await mkdtemp(join(tmpdir(), 'bulwark-files-'));
const [service, target] = await Promise.all([
  openTestService({ BULWARK_ARTIFACTS_FOLDER: store }),
  startScriptedTarget({ persona: 'complies', cases: sandboxCases(), apiKey: key }),
]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  await rm(store, { recursive: true, force: true });
});
const { app, call, tokens, until } = service;

async function startSandbox(name: string, baseUrl: string): Promise<string> {
  const model = { base_url: baseUrl, api_key: key, model_name: 'scripted' };
  const body = { scan_name: name, model };
  return (await call('POST', '/v1/sandbox/scan/start', { as: tokens.admin, body })).body.scan_id;
}

const download = async (scanId: string) =>
  app.inject({
    method: 'POST',
    url: '/v1/scan/download',
    headers: { authorization: `Bearer ${tokens.admin}` },
    payload: { scan_id: scanId },
  });

test('the archive has results, summary and report, and the key of the target nowhere', async () => {
  const scanId = await startSandbox('first', target.url);
  await until(scanId, 'Finished');
  const answer = await download(scanId);
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /^application\/zip/);
  assert.equal(answer.headers['content-disposition'], `attachment; filename="${scanId}.zip"`);
  const files = new Map<string, Buffer>();
  await readArchive(answer.rawPayload, async (entry) => {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.content) chunks.push(chunk as Buffer);
    files.set(entry.path, Buffer.concat(chunks));
  });
  assert.deepEqual([...files.keys()].toSorted(), ['report.pdf', 'results.jsonl', 'summary.json']);
  const lines = (files.get('results.jsonl') ?? '').toString().trim().split('\n');
  assert.equal(lines.length, 24);
  for (const line of lines) assert.ok('score' in (JSON.parse(line) as object));
  const summary = JSON.parse((files.get('summary.json') ?? '').toString()) as { risk_level: string };
  const { body } = await call('POST', '/v1/scan/summary', { as: tokens.admin, body: { scan_id: scanId } });
  assert.equal(summary.risk_level, body.risk_level);
  assert.equal(files.get('report.pdf')?.subarray(0, 5).toString(), '%PDF-');
  for (const [name, content] of files) assert.ok(!content.includes(key), name);
});

test('a report whose file is gone, as after a restore of the database alone, is made anew', async () => {
  const scanId = await startSandbox('restored', target.url);
  await until(scanId, 'Finished');
  assert.equal((await download(scanId)).statusCode, 200);
  await rm(store, { recursive: true });
  const again = await download(scanId);
  assert.equal(again.statusCode, 200, again.body);
  assert.equal((await download(scanId)).statusCode, 200);
});

test('before the end there is nothing to download', async () => {
  const scanId = await startSandbox('second', 'http://127.0.0.1:9/v1');
  await until(scanId, 'Failed');
  assert.equal((await download(scanId)).statusCode, 400);
});
