import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createArtifacts, type Artifacts } from '#base/artifacts/artifacts.ts';
import { folderObjects } from '#base/artifacts/folder-objects.ts';
import { artifactMigrations } from '#base/artifacts/migrations.ts';
import { systemClock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { createRuns, type Runs } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { readPdf } from '#base/pdf/read-pdf.ts';
import { defineReports, type ReportOptions, type Reports } from './report-runs.ts';

let db: Database;
let folder: string;
before(async () => {
  db = await openTestDatabase([runMigrations, artifactMigrations]);
  folder = await mkdtemp(join(tmpdir(), 'bulwark-reports-'));
});
after(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Asked {
  readonly title: string;
}

const owner = { tenantId: 't1', userId: 'anna' };
const others = [
  { tenantId: 't1', userId: 'bert' },
  { tenantId: 't2', userId: 'anna' },
];

async function openReports(
  document: ReportOptions<Asked>['document'],
  quotaBytes = 10_000_000,
): Promise<AsyncDisposable & { runs: Runs; artifacts: Artifacts; reports: Reports<Asked> }> {
  const runs = createRuns(db, { log: createLog({ level: 'silent' }), pollMs: 200 });
  const objects = folderObjects(join(folder, 'objects'));
  const incoming = join(folder, 'incoming');
  const artifacts = createArtifacts({ db, objects, clock: systemClock, incoming, quotaBytes });
  const reports = defineReports<Asked>({ db, runs, artifacts }, `report-${randomUUID()}`, {
    document,
    fileName: ({ title }) => `${title}.pdf`,
  });
  await runs.start();
  return { runs, artifacts, reports, [Symbol.asyncDispose]: () => runs[Symbol.asyncDispose]() };
}

async function ended(reports: Reports<Asked>, id: string) {
  for await (const _ of reports.watch(id, owner, AbortSignal.timeout(60_000)));
  const report = await reports.find(id, owner);
  assert.ok(report);
  return report;
}

const written: ReportOptions<Asked>['document'] = ({ title }) =>
  Promise.resolve({
    title,
    createdAt: new Date('2026-11-20T10:00:00Z'),
    blocks: [{ kind: 'paragraph', text: 'Twelve of forty attacks succeeded.' }],
  });

test('a report is created once, is a PDF with its content, and belongs to its requester', async () => {
  await using here = await openReports(written);
  const id = await here.reports.start(owner, { title: 'scan-7' });
  const report = await ended(here.reports, id);
  assert.equal(report.status, 'completed');
  const { artifact, content } = await here.reports.open(id, owner);
  assert.deepEqual([artifact.name, artifact.mediaType], ['scan-7.pdf', 'application/pdf']);
  assert.ok(artifact.expiresAt);
  const pages = await readPdf(await buffer(content));
  assert.match(JSON.stringify(pages), /Twelve of forty attacks succeeded/);
  for (const scope of others) {
    assert.equal(await here.reports.find(id, scope), undefined);
    await assert.rejects(here.reports.open(id, scope), { status: 404 });
    await assert.rejects(here.reports.delete(id, scope), { status: 404 });
  }
});

test('deleting a report deletes its file', async () => {
  await using here = await openReports(written);
  const id = await here.reports.start(owner, { title: 'short-lived' });
  const { result } = await ended(here.reports, id);
  assert.ok(result);
  await here.reports.delete(id, owner);
  assert.equal(await here.artifacts.find(owner, result.artifactId), undefined);
  await assert.rejects(here.reports.open(id, owner), { status: 404 });
});

test('a report that is not ready says so, and can be cancelled', async () => {
  await using here = await openReports(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
  const id = await here.reports.start(owner, { title: 'never' });
  await assert.rejects(here.reports.open(id, owner), { status: 409, message: /not ready/ });
  await here.reports.cancel(id, owner);
  assert.equal((await ended(here.reports, id)).status, 'cancelled');
});

test('a report that exceeds the storage quota fails with a readable reason', async () => {
  await using here = await openReports(written, 10);
  const id = await here.reports.start(owner, { title: 'too much' });
  const { status, error } = await ended(here.reports, id);
  assert.equal(status, 'failed');
  assert.match(error?.message ?? '', /bytes/);
});
