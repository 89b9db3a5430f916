/**
 * The agent gateway and the action guard in one process, as `bulwark up` runs them, for bench/gateway.ts: `node
 * bench/gateway-parties/gateway.ts <url of the upstream> <gateways> [address of a PostgreSQL database]`. Its first
 * line of output is its address; it replies to `memory` with its memory usage, and exits when its input ends.
 */
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { systemClock } from '#base/clock.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { createServiceCalls } from '#base/contract/calls.ts';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { listen } from '#base/http/listen.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import { createIdentity } from '#identity/identity.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { actionGuardSections } from '#services/action-guard/config.ts';
import { actionGuardMigrations, createActionGuard } from '#services/action-guard/service.ts';
import { agentGatewaySections } from '#services/agent-gateway/config.ts';
import { agentGatewayMigrations, createAgentGateway } from '#services/agent-gateway/service.ts';

export interface Ready {
  /** Endpoint URLs; each gateway has both servers, with tools `http__echo` and `stdio__echo`. */
  readonly mcpUrls: readonly string[];
  /** Of a further gateway, whose guards only observe; undefined where there are many gateways. */
  readonly observingUrl: string | undefined;
  readonly base: string;
  readonly key: string;
  /** Mean time to create, attach and start one gateway. */
  readonly startMs: number;
}

const password = 'a password of the bench';
const upstreamProgram = fileURLToPath(new URL('upstream.ts', import.meta.url));

async function open(databaseUrl: string | undefined) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-bench-'));
  const config = loadConfig(
    { ...platformSections, ...actionGuardSections, ...agentGatewaySections },
    {
      BULWARK_DATA_DIR: dataDir,
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the bench with 32 characters',
      BULWARK_SECRET_KEY: 'another secret of the bench with 32 characters',
    },
  );
  const db = await openDatabase({ dataDir, url: databaseUrl });
  await migrate(db, [identityMigrations, runMigrations, actionGuardMigrations, agentGatewayMigrations], '0');
  const log = createLog({ level: 'info', fd: openSync('/dev/null', 'w') });
  const cache = createMemoryCache({ maxEntries: 10, ttlSeconds: 60 });
  const calls = createServiceCalls<Caller>();
  const engine = await loadTextEngine();
  const shared = {
    config,
    db,
    log,
    cache,
    calls,
    engine,
    clock: systemClock,
    strictAnswers: false,
    version: '0',
  };
  const all = {
    ...shared,
    jobs: createJobs(db),
    runs: createRuns(db, { log: shared.log }),
    identity: await createIdentity(shared),
  };
  const guard = await createActionGuard(all);
  const gateway = await createAgentGateway(all);
  const at = { service: 'bench', host: '127.0.0.1', port: 0, portSetting: '' };
  const key = readFileSync(await all.identity.localKeyFile(), 'utf8').trim();
  return { key, guardUrl: await listen(guard.app, at), url: await listen(gateway.app, at) };
}

type Sent = (path: string, body?: object, method?: string) => Promise<Record<string, string>>;

const sender =
  (base: string, headers: Record<string, string>): Sent =>
  async (path, body, method = 'POST') => {
    const response = await fetch(base + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, string>;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };

/** Twenty-five rules of the built-in templates. */
async function policySet(send: Sent): Promise<string> {
  const { templates } = (await send('/api/v1/policies/templates', undefined, 'GET')) as unknown as {
    templates: { id: string }[];
  };
  const rules: [string, unknown][] = [];
  for (const { id } of templates) {
    const template = (await send(`/api/v1/policies/templates/${id}`, undefined, 'GET')) as unknown as {
      rules: Record<string, { description: string; severity: string }>;
    };
    for (const [key, { description, severity }] of Object.entries(template.rules))
      rules.push([`${id}_${key}`, { description, severity }]);
  }
  const chosen = Object.fromEntries(rules.slice(0, 25));
  const { policy_id: policyId } = await send('/api/v1/policies/policy', { name: 'Bench', rules: chosen });
  return (await send('/api/v1/policies/sets', { name: 'Bench', policy_ids: [policyId] }))['policy_id'] ?? '';
}

/** A gateway with all features enabled. */
const settings = (actionGuardPolicyId: string) => ({
  name: 'Bench',
  action_guard_policy_id: actionGuardPolicyId,
  access_control: {
    default: 'deny',
    rules: [
      ...Array.from({ length: 19 }, (_, i) => ({
        principals: [`role-${i}`],
        tools: ['*_read*'],
        effect: 'allow',
      })),
      { principals: ['admin'], effect: 'allow' },
    ],
  },
  output_guard: 'block',
  pin_tools: 'block',
  rate_limit: { calls_per_minute: 1_000_000 },
});

async function serve(upstreamUrl: string, count: number, databaseUrl: string | undefined): Promise<Ready> {
  const { key, guardUrl, url } = await open(databaseUrl);
  const login = await sender(url, {})('/auth/login', { username: 'admin', password });
  const headers = { authorization: `Bearer ${login['access_token'] ?? ''}` };
  const send = sender(url, headers);
  const stdio = {
    name: 'stdio',
    transport: 'stdio',
    command: process.execPath,
    args: [upstreamProgram, 'stdio'],
  };
  const servers = [
    (await send('/api/mcp-servers', { name: 'http', transport: 'http', connection_url: upstreamUrl }))['id'],
    ...(count === 1 ? [(await send('/api/mcp-servers', stdio))['id']] : []),
  ];
  const set = await policySet(sender(guardUrl, headers));
  const beganMs = performance.now();
  const mcpUrls: string[] = [];
  const startGateway = async (fields: object) => {
    const { id = '' } = await send('/api/gateways', fields);
    for (const server of servers) await send(`/api/gateways/${id}/mcp-servers/${server}`);
    return (await send(`/api/gateways/${id}/start`))['mcp_url'] ?? '';
  };
  for (let i = 0; i < count; i += 1) mcpUrls.push(await startGateway(settings(set)));
  const startMs = (performance.now() - beganMs) / count;
  const observingUrl =
    count === 1 ? await startGateway({ ...settings(set), guard_mode: 'observe' }) : undefined;
  return { mcpUrls, observingUrl, base: url, key, startMs };
}

const [upstreamUrl = '', count = '1', databaseUrl] = process.argv.slice(2);
console.log(JSON.stringify(await serve(upstreamUrl, Number(count), databaseUrl)));
process.stdin
  .on('data', (asked: Buffer) => {
    if (!String(asked).startsWith('memory')) return;
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    console.log(JSON.stringify({ rssMiB: rss / 1024 ** 2, heapMiB: heapUsed / 1024 ** 2 }));
  })
  .on('end', () => process.exit(0));
