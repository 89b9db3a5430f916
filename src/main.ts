/** The process: which services → context → start → wait → dispose. */
import { scheduleCleaning } from '#base/artifacts/artifacts.ts';
import { artifactMigrations } from '#base/artifacts/migrations.ts';
import { openArtifacts } from '#base/artifacts/open-artifacts.ts';
import { openCache } from '#base/cache/open-cache.ts';
import { systemClock } from '#base/clock.ts';
import { effectiveSettings } from '#base/config/effective.ts';
import { loadConfig, type Env } from '#base/config/load.ts';
import { alertMigrations } from '#alerts/migrations.ts';
import { openAlerts, type Alerts, type AlertsDeps } from '#alerts/alerts.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import { createServiceCalls } from '#base/contract/calls.ts';
import { areApplied, migrate, readMigrations } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { openChangeNotices } from '#base/events/change-notices.ts';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import { endServing } from '#base/http/end-serving.ts';
import { refuseOpenDoors } from '#base/config/refuse-open-doors.ts';
import { listen, originOf } from '#base/http/listen.ts';
import { currentRequestId } from '#base/http/request-id.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { limitMigrations } from '#base/limits/migrations.ts';
import { openRateLimits } from '#base/limits/open-rate-limits.ts';
import { createLog } from '#base/log/log.ts';
import { createMailer } from '#base/mail/mailer.ts';
import { addProbes } from '#base/readiness/probes.ts';
import { Readiness } from '#base/readiness/readiness.ts';
import { checkKeys, keysAgree } from '#base/secrets/key-check.ts';
import { openKeyRotation } from '#base/secrets/key-rotation.ts';
import { sharedKeys } from '#base/secrets/shared-keys.ts';
import { openVault } from '#base/secrets/vault.ts';
import { createProcessMetrics } from '#base/metrics/process-metrics.ts';
import { openTracing } from '#base/tracing/open-tracing.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { createIdentity, type Identity } from '#identity/identity.ts';
import type { Caller } from '#identity/caller.ts';
import type { FirstAdmin } from '#identity/bootstrap.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { createLanguageModel, type LanguageModel } from '#llm/language-model.ts';
import { languageModelSettings } from '#llm/settings.ts';
import { traced } from '#llm/traced.ts';
import { sealedColumns, services, type Service } from './services.ts';
import { portVariable, sections, serviceNames, type ServiceName } from './settings.ts';
import { version } from './version.ts';

export interface Bulwark extends AsyncDisposable {
  readonly config: PlatformConfig;
  /** Each service that runs, with the address it listens on. */
  readonly services: readonly {
    name: ServiceName;
    url: string;
    /** `host:port`, of a service that speaks gRPC as well. */
    grpc: string | undefined;
  }[];
  /** How long the start took. */
  readonly startMs: number;
  /** A guard and a key for a first call on this machine, in development; no key if authentication is off. */
  readonly local: { guardUuid: string | undefined; keyFile: string | undefined } | undefined;
}

/** In development a person on this machine gets a guard and a key to try things with. */
async function localAccess(
  config: PlatformConfig,
  identity: Identity,
  running: readonly Service[],
): Promise<Bulwark['local']> {
  if (config.environment !== 'development') return undefined;
  const withGuards = running.find((service) => service.firstGuard !== undefined);
  return {
    guardUuid: await withGuards?.firstGuard?.(await identity.localAdmin()),
    keyFile: config.auth.enabled ? await identity.localKeyFile() : undefined,
  };
}

export interface StartOptions {
  /**
   * Called immediately: the password is stored nowhere, so it must be shown even if the start
   * fails afterwards.
   */
  readonly onFirstAdmin: (admin: FirstAdmin) => void;
  /** Resets the first administrator's password and reports it the same way. */
  readonly renewAdminPassword?: boolean;
}

/**
 * Starts the named services in this process.
 * @throws StartupError for everything that an operator can fix.
 */
export async function startBulwark(
  names: readonly ServiceName[],
  env: Env,
  { onFirstAdmin, renewAdminPassword = false }: StartOptions,
): Promise<Bulwark> {
  const startedAt = performance.now();
  const config = loadConfig(sections, env);
  refuseOpenDoors(config);
  // Disposed in reverse: the services end first (requests in flight are answered), then jobs, then the database.
  await using stack = new AsyncDisposableStack();
  const { context, readiness } = await openContext(config, names, stack);
  const identity = stack.use(await createIdentity(context));
  if (identity.firstAdmin !== undefined) onFirstAdmin(identity.firstAdmin);
  else if (renewAdminPassword) onFirstAdmin(await identity.renewAdminPassword());
  const engine = await loadTextEngine();
  const languageModel = openLanguageModel(context, stack);
  const webhooks = await openWebhooks(context, stack);
  const urls: Bulwark['services'][number][] = [];
  const calls = createServiceCalls<Caller>({ requestId: currentRequestId });
  const near = neighbours(names, config, urls);
  const { addressOf } = near;
  const others = { calls, addressOf, tokenFor: (caller: Caller) => identity.tokenFor(caller) };
  const alerts = await openAlertsOf(context, { identity, webhooks, others }, stack);
  const settings = effectiveSettings(sections, config);
  const own = {
    config,
    settings,
    identity,
    engine,
    languageModel,
    webhooks,
    alerts,
    calls,
    ...near,
  };
  const running: Service[] = [];
  for (const name of names) running.push(stack.use(await services[name].create({ ...context, ...own })));
  for (const { app, second } of running) {
    addProbes(app, readiness);
    if (second !== undefined) addProbes(second.app, readiness);
  }
  await context.jobs.start();
  await context.runs.start();
  for (const [i, service] of running.entries()) {
    const name = names[i] ?? 'policy-guard';
    const port = config.port[services[name].portKey];
    const url = await listen(service.app, {
      service: name,
      host: config.host,
      port,
      portSetting: portVariable(name),
    });
    urls.push({ name, url, grpc: await listenForGrpc(name, service, config, readiness) });
    await listenSecond(service, config);
  }
  readiness.started();
  stack.defer(() => endServing(running, readiness, config.shutdown));
  const owned = stack.move();
  return {
    config,
    services: urls,
    startMs: Math.round(performance.now() - startedAt),
    local: await localAccess(config, identity, running),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The services that the dashboard leads to, and where they listen: `urls` fills while they start. */
function neighbours(names: readonly ServiceName[], config: PlatformConfig, urls: Bulwark['services']) {
  const here = names.filter((name) => name !== 'dashboard');
  return {
    serviceNames: here.length > 0 ? here : serviceNames.filter((name) => name !== 'dashboard'),
    addressOf: (service: string) => {
      const known = serviceNames.find((name) => name === service);
      if (known === undefined) throw new Error(`There is no service ${service}.`);
      const url = urls.find(({ name }) => name === service)?.url;
      return url ?? originOf(config.host, config.port[services[known].portKey]);
    },
  };
}

async function listenSecond({ second }: Service, { host, port }: PlatformConfig): Promise<void> {
  if (second === undefined) return;
  const { name, app, portKey } = second;
  const variable = `BULWARK_PORT_${portKey.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  await listen(app, { service: name, host, port: port[portKey], portSetting: variable });
}

async function listenForGrpc(
  name: ServiceName,
  { grpc }: Service,
  { grpc: { enabled }, host, port }: PlatformConfig,
  readiness: Readiness,
): Promise<string | undefined> {
  const { grpcPortKey } = services[name];
  if (!enabled || grpc === undefined || grpcPortKey === undefined) return undefined;
  const where = {
    service: `${name} over gRPC`,
    host,
    port: port[grpcPortKey],
    portSetting: `${portVariable(name)}_GRPC`,
  };
  return grpc.listen(where, readiness);
}

/** What services count for alerts, and who is told of them. */
async function openAlertsOf(
  context: PlatformContext,
  shared: { identity: Identity; webhooks: Webhooks; others: AlertsDeps['others'] },
  stack: AsyncDisposableStack,
): Promise<Alerts> {
  const { url, from } = context.config.smtp;
  const mailer = url === undefined ? undefined : createMailer({ url, from });
  if (mailer !== undefined) stack.defer(() => mailer.close());
  return stack.use(await openAlerts({ ...context, ...shared, mailer }));
}

/** The one language model of all services; what it can do is found out while they start. */
function openLanguageModel(
  { config, clock, log, tracing }: PlatformContext,
  stack: AsyncDisposableStack,
): LanguageModel | undefined {
  const settings = languageModelSettings(config.llm);
  if (settings === undefined) return undefined;
  const model = traced(stack.use(createLanguageModel(settings, { clock, log })), tracing);
  model.capabilities().catch((error: unknown) => {
    log.warn(
      { err: error },
      'the language model does not respond; the embedded engines judge alone until it does',
    );
  });
  return model;
}

/** Everything that services share, on a database with their migrations. */
async function openContext(
  config: ConfigOf<typeof sections>,
  names: readonly ServiceName[],
  stack: AsyncDisposableStack,
): Promise<{ context: PlatformContext; readiness: Readiness }> {
  const log = createLog(config.log);
  const onWarning = (message: string) => log.warn(message);
  const db = stack.use(
    await openDatabase({
      ...config.database,
      dataDir: config.dataDir,
      onWarning,
    }),
  );
  const tables = names.flatMap((name) => services[name].migrations ?? []);
  const sets = [
    identityMigrations,
    runMigrations,
    artifactMigrations,
    eventMigrations,
    limitMigrations,
    alertMigrations,
    ...tables,
  ];
  await migrate(db, sets, version);
  const keys = await sharedKeys(config);
  await checkKeys(db, keys, { acceptNew: config.acceptNewKeys });
  const vault = await openVault(config);
  const previous = config.secretKeyPrevious;
  const rotation = stack.use(await openKeyRotation({ db, log, vault, columns: sealedColumns, previous }));
  const migrations = await readMigrations(sets);
  const jobs = stack.use(createJobs(db, { onWarning }));
  const readiness = new Readiness({
    clock: systemClock,
    log,
    areJobsRunning: () => jobs.isExecuting,
    keyRotation: () => rotation.state,
    checkDatabase: async () => [
      ...((await areApplied(db, migrations)) ? [] : ['migrations' as const]),
      ...((await keysAgree(db, keys)) ? [] : ['keys' as const]),
    ],
  });
  const runs = stack.use(createRuns(db, { log }));
  const artifacts = openArtifacts(config, db, systemClock);
  await scheduleCleaning(artifacts, jobs);
  const tracing = await openTracing(config.otlp, { version, log });
  if (tracing !== undefined) stack.use(tracing);
  const { maxEntries, ttlSeconds } = config.cache;
  const { url: redisUrl, timeoutMs } = config.redis;
  const cache = stack.use(openCache(redisUrl, { maxEntries, ttlSeconds, timeoutMs }, log));
  const rateLimits = stack.use(await openRateLimits({ config, db, jobs, clock: systemClock, log }));
  const changes = stack.use(openChangeNotices({ db, log }));
  const strictAnswers = config.environment === 'test';
  const processMetrics = createProcessMetrics({ db, cache, rateLimits });
  const context = {
    version,
    config,
    db,
    jobs,
    runs,
    artifacts,
    cache,
    rateLimits,
    changes,
    log,
    processMetrics,
    tracing,
    clock: systemClock,
    strictAnswers,
  };
  return { context, readiness };
}
