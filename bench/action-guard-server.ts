/** Servers for bench/action-guard.ts; each prints its address in the first line and ends when its input closes. */
import { mkdtemp } from 'node:fs/promises';
import { openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { systemClock } from '#base/clock.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { listen } from '#base/http/listen.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { createIdentity } from '#identity/identity.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { actionGuardSections } from '#services/action-guard/config.ts';
import { actionGuardMigrations, createActionGuard } from '#services/action-guard/service.ts';

export interface Ready {
  url: string;
  token: string;
  key: string;
}

/** A typical verdict. */
const answer = {
  allowed: true,
  violations: [],
  warnings: [],
  violations_detail: [],
  warnings_detail: [],
  violations_count: 0,
  warnings_count: 0,
  threat_category: 'none',
  explanation: 'Allowed: none of 130 rules is violated.',
  blocking_mode: 'severity_level',
  blocking_metadata: { blocking_mode: 'severity_level', blocking_level: 'Medium', blocking_threshold: 0 },
  session_id: 'session-1',
  timestamp: '2026-01-01T00:00:00.000Z',
  service_status: 'ok',
  user_id: '01a1f912-a5cb-72de-83bb-6e8a06dc3fed',
  observation: 'Please read the report and send a summary to anna@example.com.',
  action: 'Sends the summary',
  facts: [],
  fast_mode: false,
  total_enabled_rules: 130,
  active_policies: Array.from({ length: 11 }, (_, i) => `Policy ${i}`),
};

async function serveEcho(): Promise<Ready> {
  const app = fastify({ bodyLimit: 10 * 1024 * 1024 });
  app.post('/api/v1/guard_actions', () => answer);
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), token: '', key: '' };
}

/** Uses the given database, else an embedded one on disk, so that the log is durable as in production. */
async function serveGuard(databaseUrl: string | undefined): Promise<Ready> {
  const password = 'a password of the bench';
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-bench-'));
  const config = loadConfig(
    { ...platformSections, ...actionGuardSections },
    {
      BULWARK_DATA_DIR: dataDir,
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the bench with 32 characters',
    },
  );
  const db = await openDatabase({ dataDir, url: databaseUrl });
  await migrate(db, [identityMigrations, runMigrations, actionGuardMigrations], '0');
  const log = createLog({ level: 'info', fd: openSync('/dev/null', 'w') });
  const cache = createMemoryCache({ maxEntries: 10, ttlSeconds: 60 });
  const shared = { config, db, log, cache, clock: systemClock, strictAnswers: false, version: '0' };
  const jobs = createJobs(db);
  const runs = createRuns(db, { log: shared.log });
  const identity = await createIdentity(shared);
  const { app } = await createActionGuard({ ...shared, jobs, runs, identity });
  const url = await listen(app, { service: 'bench', host: '127.0.0.1', port: 0, portSetting: '' });
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { url, token, key: '' };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, databaseUrl] = process.argv.slice(2);
  const ready = await (kind === 'echo' ? serveEcho() : serveGuard(databaseUrl));
  console.log(JSON.stringify(ready));
  process.stdin.resume().on('end', () => process.exit(0));
}
