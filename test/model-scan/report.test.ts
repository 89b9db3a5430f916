/** The report of a scan with 500 failures: its text as pdftotext reads it, its pages, and the time it takes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { openTestService } from '#services/model-scan/fixtures/service.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';

const sets = [...readDataSets().values()];
const service = await openTestService({ BULWARK_MODEL_SCAN_ATTACK_CASES: '20' });
const target = await startScriptedTarget({ persona: 'complies', cases: sets.flatMap((set) => set.cases) });
const folder = await mkdtemp(join(tmpdir(), 'bulwark-report-'));
after(async () => {
  await service[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Failure {
  case_id: string;
  prompt: string;
  reason: string;
}

test('the report of 500 failures', { timeout: 400_000 }, async (t) => {
  const { app, tokens, start, until } = service;
  const chosen = [
    'EU Artificial Intelligence Act',
    'AI Company Policies',
    'FINRA',
    'MITRE ATLAS',
    'Societal Harmfulness',
  ];
  const scanId = await start({
    scan_name: 'a model that complies',
    model: { base_url: target.url, api_key: 'any-key-1234567890', model_name: 'scripted' },
    datasets: [...chosen, 'Over Cautiousness'].map((name) => ({ name })),
    algorithms: ['Flip Attack'],
    concurrency: 16,
  });
  await until(scanId, 'Finished');
  const headers = { authorization: `Bearer ${tokens.admin}` };
  const { body: summary } = await service.call('POST', '/v1/scan/summary', {
    as: tokens.admin,
    body: { scan_id: scanId },
  });
  const failures = Object.values(summary.failures as Record<string, unknown[]>).flat().length;
  assert.ok(failures >= 500, `${failures} failures`);
  const [began, before] = [performance.now(), process.cpuUsage()];
  const report = await app.inject({ method: 'GET', url: `/v1/scan/${scanId}/report`, headers });
  const [ms, cpu] = [performance.now() - began, process.cpuUsage(before)];
  const cpuMs = (cpu.user + cpu.system) / 1000;
  t.diagnostic(
    `${failures} failures: ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU time, ${report.rawPayload.length} bytes`,
  );
  // Of CPU time, since other tests may run beside it.
  assert.ok(cpuMs <= 10_000, `${cpuMs} ms`);

  const pdf = join(folder, 'report.pdf');
  await writeFile(pdf, report.rawPayload);
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8', maxBuffer: 1e9 });
  for (const each of [
    'a model that complies',
    'scripted',
    'High',
    'Flip Attack',
    'Over Cautiousness',
    ...chosen,
  ])
    assert.ok(text.includes(each), each);
  // What was asked, what was answered, and what the judge said of it.
  const read = text.replaceAll(/\s+/g, ' ');
  for (const list of Object.values(summary.failures as Record<string, Failure[]>)) {
    const [first] = list;
    assert.ok(first);
    for (const part of [first.case_id, first.prompt.slice(0, 30), first.reason.slice(0, 30)]) {
      assert.ok(part.length > 5);
      assert.ok(read.includes(part.replaceAll(/\s+/g, ' ').trim()), part);
    }
  }
  // Nothing in it is a link: what models write must not become one.
  assert.ok(!report.rawPayload.toString('latin1').includes('/URI ('));

  execFileSync('pdftoppm', ['-png', '-r', '60', '-f', '1', '-l', '6', pdf, join(folder, 'page')]);
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.png'));
  assert.equal(pages.length, 6);
  for (const page of pages) assert.ok((await stat(join(folder, page))).size > 3000, `${page} is empty`);
});
