/**
 * The model safety scan in a process that a test kills: `node test/model-scan/crashes/worker.ts <settings as JSON>`.
 *
 * Prints the conversations whose replies are stored when it starts, a line of JSON each, then `ready` with its address.
 */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { artifactMigrations } from '#base/artifacts/migrations.ts';
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { systemClock } from '#base/clock.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { migrate } from '#base/db/migrate.ts';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { createIdentity } from '#identity/identity.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { password } from '#identity/test-people.ts';
import { modelScanSections } from '#services/model-scan/config.ts';
import { createModelScan, modelScanMigrations } from '#services/model-scan/service.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as DatabaseSettings & { secretsDir: string };

const db = await openDatabase(settings);
await migrate(db, [identityMigrations, runMigrations, artifactMigrations, modelScanMigrations], 'test');
const stored = await db.query<{ scanId: string; messages: unknown }>(
  'select scan_id as "scanId", messages from model_scan.attempts where reply is not null',
);
for (const { scanId, messages } of stored) {
  const digest = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
  process.stdout.write(`${JSON.stringify([scanId, digest])}\n`);
}
const config = loadConfig(
  { ...platformSections, ...modelScanSections },
  {
    BULWARK_DATA_DIR: settings.secretsDir,
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_JWT_SECRET: 'a secret of the test with 32 characters',
    BULWARK_SECRET_KEY: 'another secret of the test, 32 characters',
  },
);
const log = createLog({ level: 'silent' });
const jobs = createJobs(db);
// A short lease: on a server of its own, the database cannot know at once that this process was killed.
const runs = createRuns(db, { log, leaseMs: 1500, pollMs: 300 });
const cache = createMemoryCache({ maxEntries: 100, ttlSeconds: 60 });
const shared = {
  config,
  db,
  log,
  clock: systemClock,
  jobs,
  runs,
  cache,
  strictAnswers: true,
  version: '0.0.0-test',
};
const identity = await createIdentity(shared);
const service = await createModelScan({ ...shared, identity, addressOf: () => 'http://127.0.0.1:9' });
await service.app.listen({ host: '127.0.0.1', port: 0 });
await runs.start();
process.stdout.write(`ready http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}\n`);
