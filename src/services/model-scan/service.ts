import { join } from 'node:path';
import { openArtifacts } from '#base/artifacts/open-artifacts.ts';
import { createServiceCalls, type ServiceCalls } from '#base/contract/calls.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { openOutbound } from '#base/net/outbound.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { openVault } from '#base/secrets/vault.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import type { Caller } from '#identity/caller.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import type { modelScanSections } from './config.ts';
import { defenceOperations } from './contract/defence.ts';
import { healthOperations } from './contract/health.ts';
import { ownDataSetOperations } from './contract/own-data-sets.ts';
import { resultOperations } from './contract/results.ts';
import { moreScanOperations, scanOperations } from './contract/scans.ts';
import { defenceHandlers } from './defence/routes.ts';
import { readTomlBody } from './intake/toml-body.ts';
import { OwnDataSets } from './own-data-sets/own-data-sets.ts';
import { ownDataSetHandlers } from './own-data-sets/routes.ts';
import { resultHandlers } from './results/routes.ts';
import { createRunScan } from './running/run-scan.ts';
import { scanHandlers } from './scans/routes.ts';
import { Scans } from './scans/scans.ts';
import { sealedModelKeys } from './running/open-model.ts';

/** The tables of this service. */
export const modelScanMigrations: MigrationSet = {
  schema: 'model_scan',
  folder: join(import.meta.dirname, 'migrations'),
};

/** Its secrets at rest. */
export const modelScanSealed: readonly SealedColumn[] = [sealedModelKeys];

export interface ModelScanContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof modelScanSections>;
  /** Undefined where none is configured. */
  readonly languageModel?: LanguageModel | undefined;
  /** Operations that services of this process answer for each other; default: none. */
  readonly calls?: ServiceCalls<Caller>;
  /** Where a service of this deployment listens. */
  readonly addressOf: (service: string) => string;
}

export type ModelScan = RunningService;

const info = {
  name: 'model_scan',
  title: 'Bulwark model safety scan',
  description:
    'Scans any model behind chat completions for safety: data sets of cases, attack algorithms, scores with intervals, a ' +
    'report. Every bad request is answered 400 and names its field.',
  apiKeys: false,
  takesFiles: false,
};

/** A scan may wait for days on a slow model. */
const longestSeconds = 90 * 86_400;

/** The model safety scan on a database that has its migrations and those of identity, runs and artifacts. Dispose it before the database. */
export async function createModelScan(ctx: ModelScanContext): Promise<ModelScan> {
  await using service = openService(ctx, info);
  acceptToml(service);
  await addFeatures(ctx, service);
  service.add(healthOperations, {
    getHealth: () => ({ status: 'ok' as const, version: ctx.version, environment: ctx.config.environment }),
  });
  return service.open();
}

async function addFeatures(ctx: ModelScanContext, service: OpenService): Promise<void> {
  const { config, db, clock, identity, runs } = ctx;
  const { languageModel } = ctx;
  const { modelScan } = config;
  const vault = await openVault(config);
  const outbound = service.own(openOutbound(config));
  const { log } = service;
  const requestTimeoutMs = modelScan.requestTimeoutSeconds * 1000;
  const kind = service.own(
    runs.define<object, null>(
      'model_scan',
      {
        concurrency: modelScan.scansAtOnce,
        timeoutSeconds: longestSeconds,
        // The scan of a killed process is an error until somebody retries it.
        mostCrashes: 1,
        metrics: service.metrics,
      },
      createRunScan({ db, clock, log, vault, outbound, requestTimeoutMs, languageModel }),
    ),
  );
  const artifacts = ctx.artifacts ?? openArtifacts(config, db, clock);
  const ownDataSets = new OwnDataSets({ db, clock, audit: identity.audit });
  const { mostConcurrency, attackCases, retentionDays } = modelScan;
  const deps = {
    db,
    clock,
    log,
    vault,
    outbound,
    kind,
    identity,
    artifacts,
    ownDataSets,
    dataSets: readDataSets,
    attackCases,
    mostConcurrency,
    requestTimeoutMs,
    hasLanguageModel: languageModel !== undefined,
  };
  const scans = new Scans(deps);
  service.add({ ...scanOperations, ...moreScanOperations }, scanHandlers({ ...deps, scans }));
  service.add(resultOperations, resultHandlers({ ...deps, scans }));
  service.add(ownDataSetOperations, ownDataSetHandlers(deps));
  const policyGuard = {
    calls: ctx.calls ?? createServiceCalls<Caller>(),
    url: () => ctx.addressOf('policy-guard'),
    tokenFor: (caller: Caller) => identity.tokenFor(caller),
  };
  service.add(defenceOperations, defenceHandlers({ ...deps, scans, policyGuard }));
  if (ctx.jobs !== undefined)
    await scheduleRetention({
      jobName: 'model-scan-retention',
      days: retentionDays,
      jobs: ctx.jobs,
      clock,
      deleteBefore: (moment, limit) => scans.deleteStoppedBefore(moment, limit),
    });
}

/** A body of TOML arrives at the operations in the shape of the JSON body. */
function acceptToml({ app }: OpenService): void {
  app.addContentTypeParser(
    'application/toml',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => readTomlBody(body),
  );
}
