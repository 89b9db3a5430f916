import { join } from 'node:path';
import type { ConfigOf } from '#base/config/setting.ts';
import type { Queries } from '#base/db/database.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { openOutbound } from '#base/net/outbound.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import { createMailer } from '#base/mail/mailer.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { openVault } from '#base/secrets/vault.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import type { shadowAiSections } from './config.ts';
import { createConnectors, findPromptSetting } from './connectors/connectors.ts';
import { openPoller } from './connectors/poller.ts';
import { trySource } from './connectors/try-source.ts';
import { connectorHandlers } from './connectors/routes.ts';
import { connectHandlers } from './connect/routes.ts';
import { connectOperations } from './contract/connect.ts';
import { connectorOperations } from './contract/connectors.ts';
import { detectionOperations } from './contract/detections.ts';
import { healthOperations } from './contract/health.ts';
import { noticeOperations } from './contract/notices.ts';
import { ruleOperations } from './contract/rules.ts';
import { saasOperations } from './contract/saas.ts';
import { telemetryOperations } from './contract/telemetry.ts';
import { detectionHandlers } from './detections/routes.ts';
import { ruleHandlers } from './rules/routes.ts';
import { openNotices, type NoticeDeps } from './notices/notices.ts';
import { noticeHandlers } from './notices/routes.ts';
import { openMatcher } from './rules/own-catalogue.ts';
import { createRules, type Rules } from './rules/rules.ts';
import { saasHandlers } from './saas/saas.ts';
import { toolOperations } from './contract/tools.ts';
import { toolHandlers } from './tools/routes.ts';
import { createIngest } from './telemetry/ingest.ts';
import { telemetryHandlers } from './telemetry/routes.ts';
import { deleteProcessesBefore, deleteTelemetryBefore, startOfDay } from './telemetry/retention.ts';
import { sealedPasswords } from './saas/saas.ts';
import { sealedConnectors } from './connectors/secrets.ts';

/** The tables of this service. */
export const shadowAiMigrations: MigrationSet = {
  schema: 'shadow_ai',
  folder: join(import.meta.dirname, 'migrations'),
};

/** Its secrets at rest. */
export const shadowAiSealed: readonly SealedColumn[] = [sealedConnectors, sealedPasswords];

export interface ShadowAiContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof shadowAiSections>;
  /** Notices are sent by them. */
  readonly webhooks: Webhooks;
}

export type ShadowAi = RunningService;

const info = {
  name: 'shadow_ai',
  title: 'Bulwark shadow AI',
  description:
    'Finds AI tools that nobody has sanctioned in what endpoints report: which run where, what they did, and which ' +
    'providers are connected to. Administrators of `system` reach other tenants with `tenant_id`.',
  apiKeys: false,
  takesFiles: false,
};

const operations = {
  ...telemetryOperations,
  ...detectionOperations,
  ...toolOperations,
  ...connectOperations,
  ...ruleOperations,
  ...connectorOperations,
  ...saasOperations,
  ...noticeOperations,
};

/** Shadow AI on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createShadowAi(ctx: ShadowAiContext): Promise<ShadowAi> {
  await using service = openService(ctx, info);
  service.add(operations, await createFeatures(ctx, service));
  service.add(healthOperations, {
    getHealth: () => ({ status: 'ok' as const, version: ctx.version, environment: ctx.config.environment }),
  });
  return service.open();
}

async function createFeatures(ctx: ShadowAiContext, service: OpenService) {
  const { config, db, jobs, clock, identity } = ctx;
  const matcher = openMatcher(config.shadowAi.catalogueFile);
  const rules = createRules({ db, clock, identity, matcher });
  const vault = await openVault(config);
  const outbound = service.own(openOutbound(config));
  const wantsPrompts = async (tx: Queries, tenantId: string) =>
    (await findPromptSetting(tx, tenantId)) ?? config.shadowAi.promptExtraction;
  const ingest = createIngest({ db, clock, matcher, wantsPrompts });
  const apiHosts = matcher.catalogue.providers.flatMap(({ api_domains: hosts = [] }) => hosts);
  const poller = await openPoller({ db, jobs, clock, log: service.log, outbound, vault, ingest, apiHosts });
  const connectors = createConnectors({
    db,
    clock,
    vault,
    identity,
    pollNow: (configId) => poller.pollNow(configId),
    test: (connector) => trySource({ outbound, clock, vault, apiHosts }, connector),
    addresses: config,
  });
  await scheduleRetention({
    jobName: 'shadow-ai-telemetry-retention',
    days: config.shadowAi.telemetryRetentionDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteTelemetryBefore(db, startOfDay(moment), limit),
    afterwards: () =>
      deleteProcessesBefore(db, new Date(clock.now() - config.shadowAi.telemetryRetentionDays * 86_400_000)),
  });
  const notices = await openTelling(ctx, rules);
  return {
    ...telemetryHandlers({ ingest, identity, clock }),
    ...detectionHandlers({ db, clock, identity, rules, version: ctx.version }),
    ...toolHandlers({ db, clock, identity, rules, matcher }),
    ...connectHandlers({ db, clock, identity, matcher }),
    ...ruleHandlers(rules, matcher.catalogue),
    ...connectorHandlers(connectors, clock),
    ...noticeHandlers({ ...notices, identity }),
    ...saasHandlers({ db, clock, vault, outbound, identity, matcher }),
  };
}

/** What notices are sent by, with the jobs that send them. */
async function openTelling(
  { config, db, jobs, clock, webhooks }: ShadowAiContext,
  rules: Rules,
): Promise<NoticeDeps> {
  const { url, from } = config.smtp;
  const deps = {
    db,
    jobs,
    clock,
    webhooks,
    mailer: url === undefined ? undefined : createMailer({ url, from }),
    rulesOf: rules.of,
  };
  await openNotices(deps);
  return deps;
}
