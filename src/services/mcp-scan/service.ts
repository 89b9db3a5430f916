import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceCalls } from '#base/contract/calls.ts';
import { openArtifacts } from '#base/artifacts/open-artifacts.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { openOutbound } from '#base/net/outbound.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { openVault } from '#base/secrets/vault.ts';
import { loadRuleSet } from '#engine/source/rules/rule-set.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import type { mcpScanSections } from './config.ts';
import { createOperations } from './contract/create.ts';
import { healthOperations } from './contract/health.ts';
import { leaderboardOperations } from './contract/leaderboard.ts';
import { scanOperations } from './contract/scans.ts';
import { suppressionOperations } from './contract/suppressions.ts';
import { usageOperations } from './contract/usage.ts';
import { leaderboardHandlers } from './leaderboard/routes.ts';
import { provideScans } from './provide-scans.ts';
import { openAdvisories } from './scanning/advisories.ts';
import { engineJudge } from './scanning/judge-tools.ts';
import { removeLeftFolders } from './scanning/left-folders.ts';
import { firstHost } from './scanning/repository.ts';
import { signsVersion } from './scanning/signs-version.ts';
import { createHandlers } from './scans/create-routes.ts';
import { scanHandlers } from './scans/routes.ts';
import { Scans } from './scans/scans.ts';
import { suppressionHandlers } from './suppressions/routes.ts';
import { usageHandlers } from './usage/routes.ts';
import { sealedScans } from './scans/secrets.ts';

/** The tables of this service. */
export const mcpScanMigrations: MigrationSet = {
  schema: 'mcp_scan',
  folder: join(import.meta.dirname, 'migrations'),
};

/** Its secrets at rest. */
export const mcpScanSealed: readonly SealedColumn[] = sealedScans;

export interface McpScanContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof mcpScanSections>;
  readonly engine: TextEngine;
  /** Judges descriptions rather than the engine; undefined where none is configured. */
  readonly languageModel?: LanguageModel | undefined;
  /** Other services of this process, which look scans up and start them. */
  readonly calls?: ServiceCalls<Caller>;
}

export type McpScan = RunningService;

const info = {
  name: 'mcp_scan',
  title: 'Bulwark MCP scan',
  description:
    'Finds what is wrong with MCP servers before an agent meets them: source, descriptions, dependencies, configurations ' +
    'and live servers. Nothing that is scanned leaves this machine, source is never run, and tools are never called.',
  apiKeys: false,
  takesFiles: true,
};

const operations = {
  ...createOperations,
  ...scanOperations,
  ...suppressionOperations,
  ...leaderboardOperations,
};

/** The MCP scan on a database that has its migrations and those of identity, runs and artifacts. Dispose it before the database. */
export async function createMcpScan(ctx: McpScanContext): Promise<McpScan> {
  await using service = openService(ctx, info);
  const { config, db, clock, identity, version } = ctx;
  await removeLeftFolders(clock.now());
  const scans = await createScans(ctx, service);
  const handlers = {
    ...createHandlers(scans),
    ...scanHandlers({ db, clock, identity, scans, version }),
  };
  provideScans(ctx.calls, handlers);
  service.add(operations, {
    ...handlers,
    ...suppressionHandlers({ db, clock, audit: identity.audit, scans }),
    ...leaderboardHandlers(db, firstHost(config.mcpScan.repositoryHosts)),
  });
  service.add(usageOperations, usageHandlers(db, identity, config.mcpScan.adminApiKey));
  service.add(healthOperations, {
    getRoot: () => ({ message: 'Bulwark MCP scan', version }),
    getHealth: () => ({ status: 'ok' as const, service: 'mcp-scan' }),
  });
  return service.open();
}

const perToken = (price: string): number => {
  const value = Number(price);
  return Number.isFinite(value) && value >= 0 ? value / 1_000_000 : 0;
};

async function createScans(ctx: McpScanContext, service: OpenService): Promise<Scans> {
  const { config, db, clock, runs, engine, identity, version } = ctx;
  const settings = config.mcpScan;
  const dayMs = 86_400_000;
  const outbound = service.own(openOutbound(config));
  const promptPrice = perToken(settings.promptTokenPrice);
  const completionPrice = perToken(settings.completionTokenPrice);
  return service.own(
    new Scans({
      db,
      clock,
      audit: identity.audit,
      runs,
      metrics: service.metrics,
      artifacts: ctx.artifacts ?? openArtifacts(config, db, clock),
      outbound,
      vault: await openVault(config),
      judge: engineJudge(engine),
      model: `bulwark-text ${engine.version}`,
      language: ctx.languageModel,
      advisories: openAdvisories({ apiUrl: settings.osvApiUrl, dbDir: settings.osvDbDir, outbound }),
      limits: {
        packedBytes: settings.packedBytes,
        unpackedBytes: settings.unpackedBytes,
        files: settings.files,
      },
      timeoutMs: settings.timeoutSeconds * 1000,
      memoryBytes: settings.memoryBytes,
      repositoryHosts: settings.repositoryHosts,
      fileCacheMs: settings.fileCacheDays * dayMs,
      repositoryCacheMs: settings.repositoryCacheDays * dayMs,
      stdio: settings.stdio,
      readableFolders: settings.readableFolders,
      npmRegistry: settings.npmRegistry,
      connectTimeoutMs: settings.connectTimeoutMs,
      workers: settings.workers,
      scansPerUser: settings.scansPerUser,
      version,
      rulesVersion: createHash('sha256')
        .update([loadRuleSet().hash, engine.version, signsVersion, ctx.languageModel?.model ?? ''].join('\n'))
        .digest('hex')
        .slice(0, 16),
      costOf: ({ promptTokens, completionTokens }) =>
        promptTokens * promptPrice + completionTokens * completionPrice,
      async mayUseNetwork({ ownerId }) {
        const owner = await identity.person(ownerId);
        return owner?.tenantName === 'system' && owner.roles.includes('admin');
      },
    }),
  );
}
