/** Servers for bench/policy-guard.ts; each prints its address in the first line and ends when its input closes. */
import { openSync } from 'node:fs';
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
import { policyGuardSections } from '#services/policy-guard/config.ts';
import { createPolicyGuard, policyGuardMigrations } from '#services/policy-guard/service.ts';

export interface Ready {
  url: string;
  key: string;
  uncachedUuid: string;
  cachedUuid: string;
  /** For a guard that logs each request with its text and caches nothing. */
  loggingUuid: string;
}

const sentences = [
  'Please summarise the minutes of the last meeting and list who agreed to do what by when.',
  'Our customers ask how to reset their password when they no longer have the old telephone.',
  'The recipe says to fold the egg whites in slowly, but my batter always collapses afterwards.',
  'Which of these two contracts has the shorter notice period, and what does a breach cost us?',
  'I would like to kill the process that listens on port 8080 without restarting the machine.',
  'Write a friendly reply that thanks them for the report and says that we look into it today.',
  'Compare the three quotes in the table and tell me which one includes delivery and assembly.',
];

/** Fifty ordinary texts of 1,000 characters. */
export const texts: string[] = Array.from({ length: 50 }, (_, i) =>
  Array.from({ length: 14 }, (__, j) => sentences[(i * 3 + j * (1 + (i % 5))) % sentences.length])
    .join(' ')
    .slice(0, 1000),
);

const builtInGroup = '00000000-0000-4000-8000-000000000009';
const detectors = [
  'General Harmful Content',
  'Hate, Bias and Discriminatory Content',
  'Jailbreak Attempt',
  'Prompt Injection and Instruction Override',
  'Violence and Abuse',
  'Profanity and Offensive Language',
  'Sexual and Suggestive Content',
  'Unethical and Illegal Behavior',
  'Suicide and Self-Harm',
];

/** A typical response of a guard. */
const answer = {
  flag: false,
  id: 'gd_abcdefghijklmnopqrstuvwx',
  guard: 'Bench',
  results: [
    {
      policy_group_uuid: builtInGroup,
      policy_group_name: 'Default Policies',
      flagged: false,
      threshold: 0.5,
      strictness_level: 'medium',
      probs: Object.fromEntries(detectors.map((name) => [name, 0.012345])),
      categories: Object.fromEntries(detectors.map((name) => [name, false])),
      reasoning: null,
    },
  ],
  latency_ms: 0.512,
};

async function serveEcho(): Promise<Ready> {
  const app = fastify();
  app.post('/api/topic_guard', () => answer);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${address}/api/topic_guard`, key: '', uncachedUuid: '', cachedUuid: '', loggingUuid: '' };
}

async function serveGuard(dataDir = ''): Promise<Ready> {
  const password = 'a password of the bench';
  const config = loadConfig(
    { ...platformSections, ...policyGuardSections },
    {
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the bench with 32 characters',
      BULWARK_SECRET_KEY: 'another secret of the bench with 32 characters',
      BULWARK_POLICY_GUARD_QUERY_RETENTION_DAYS: '0',
    },
  );
  const db = await openDatabase({ dataDir, inMemory: dataDir === '' });
  await migrate(db, [identityMigrations, runMigrations, policyGuardMigrations], '0');
  const shared = {
    config,
    db,
    log: createLog({ level: 'info', fd: openSync('/dev/null', 'w') }),
    clock: systemClock,
    strictAnswers: false,
    version: '0',
  };
  const identity = await createIdentity(shared);
  const jobs = createJobs(db);
  const runs = createRuns(db, { log: shared.log });
  const { app } = await createPolicyGuard({
    ...shared,
    identity,
    cache: createMemoryCache({ maxEntries: 10_000, ttlSeconds: 3600 }),
    jobs,
    runs,
  });
  await jobs.start();
  const address = await listen(app, { service: 'bench', host: '127.0.0.1', port: 0, portSetting: '' });
  const send = async (path: string, body: object, token = '') => {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const { access_token: token = '' } = await send('/auth/login', { username: 'admin', password });
  const { key = '' } = await send('/api/api-keys', { name: 'bench' }, token);
  const makeGuard = async (cached: boolean, logging = false) => {
    const settings = { cache_enabled: cached, log_requests: logging };
    const body = { name: 'Bench', policy_group_uuids: [builtInGroup], settings };
    return (await send('/api/guards', body, token))['guard_uuid'] ?? '';
  };
  return {
    url: `${address}/api/topic_guard`,
    key,
    uncachedUuid: await makeGuard(false),
    cachedUuid: await makeGuard(true),
    loggingUuid: await makeGuard(false, true),
  };
}

/** Heap size in bytes after a garbage collection; requires --expose-gc. */
function memory(): string {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return JSON.stringify({ rssMiB: rss / 1024 ** 2, heapMiB: heapUsed / 1024 ** 2 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , kind, dataDir] = process.argv;
  const ready = await (kind === 'echo' ? serveEcho() : serveGuard(dataDir));
  console.log(JSON.stringify(ready));
  process.stdin
    .on('data', (asked: Buffer) => {
      if (String(asked).startsWith('memory')) console.log(memory());
    })
    .on('end', () => process.exit(0));
}
