import { join } from 'node:path';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import type { Operation, Operations } from '#base/contract/operation.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { addDocs } from '#base/http/docs.ts';
import { addMetrics } from '#base/http/metrics-route.ts';
import { mount, type Handlers, type MountOptions } from '#base/http/mount.ts';
import { createRateLimit } from '#base/http/rate-limit.ts';
import { createHttpServer, type HttpApp, serverSettings } from '#base/http/server.ts';
import { createGrpcServer, type GrpcServer } from '#base/grpc/server.ts';
import { createMetrics } from '#base/metrics/metrics.ts';
import { sealingSecret } from '#base/secrets/shared-keys.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { openPresence } from '#identity/presence.ts';
import { adapterHandlers } from './apis/adapters/routes.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { createAdaptations } from './learning/adaptations/adaptations.ts';
import { createLiveAdaptations } from './learning/adaptations/live-adaptations.ts';
import { adaptationHandlers } from './learning/adaptations/routes.ts';
import { createAdaptationStore } from './learning/adaptations/store.ts';
import type { policyGuardSections } from './config.ts';
import { adaptationOperations } from './contract/adaptations.ts';
import { adapterOperations } from './contract/adapters.ts';
import { calibrationOperations } from './contract/calibrations.ts';
import { evaluateOperations } from './contract/evaluate.ts';
import { extractionOperations } from './contract/extraction.ts';
import { guardOperations } from './contract/guards.ts';
import { healthOperations } from './contract/health.ts';
import { languageModelOperations } from './contract/language-model.ts';
import { optimizationOperations } from './contract/optimization.ts';
import { redactionOperations } from './contract/redaction.ts';
import { streamOperations } from './contract/stream.ts';
import { testerOperations } from './contract/tester.ts';
import { createEvaluate } from './judging/evaluate/evaluate.ts';
import { openAiErrorBody } from './apis/openai/openai-error.ts';
import { evaluateHandlers } from './apis/evaluate/routes.ts';
import { createEvents } from './events.ts';
import { createExemplars } from './library/exemplars/exemplars.ts';
import { createExtract } from './apis/extraction/extraction.ts';
import { extractionHandlers } from './apis/extraction/routes.ts';
import { topicGuardMethods, topicGuardProto, topicGuardService } from './apis/grpc/methods.ts';
import { createPolicyGroups } from './library/groups/policy-groups.ts';
import { createCalibrations } from './judging/calibrations/calibrations.ts';
import { openLiveCalibrations } from './judging/calibrations/live-calibrations.ts';
import { calibrationHandlers } from './judging/calibrations/routes.ts';
import { createCalibrationStore } from './judging/calibrations/store.ts';
import { judgeToHealth } from './judging/judges/health-view.ts';
import { openJudging } from './judging/judges/open-judging.ts';
import { languageModelHandlers } from './judging/judges/test-language-model.ts';
import type { Guard } from './guards/guard.ts';
import { createGuards } from './guards/guards.ts';
import { openLiveGuards } from './guards/live-guards.ts';
import { GuardMetrics } from './guards/metrics.ts';
import { createMetricsStore } from './guards/metrics-store.ts';
import { guardHandlers } from './guards/routes.ts';
import { createGuardStore } from './guards/store.ts';
import { createModerationGuard } from './apis/openai/moderation-guard.ts';
import { createLiveTunings } from './library/tunings/live-tunings.ts';
import { createOptimization } from './learning/optimization/optimization.ts';
import { createProposer } from './learning/optimization/propose.ts';
import { optimizationHandlers } from './learning/optimization/routes.ts';
import { createRedactor } from './judging/redaction/redactor.ts';
import { redactionHandlers } from './judging/redaction/routes.ts';
import { streamHandlers } from './apis/stream/routes.ts';
import { createStreams } from './apis/stream/stream.ts';
import { testerHandlers } from './apis/tester/routes.ts';
import { createTestGroup } from './apis/tester/tester.ts';
import { builtInGroupUuid } from './library/templates/shipped-templates.ts';
import { createWatching } from './observing/watching.ts';

/** The tables of this service. */
export const policyGuardMigrations: MigrationSet = {
  schema: 'policy_guard',
  folder: join(import.meta.dirname, 'migrations'),
};

export interface PolicyGuardContext extends PlatformContext {
  readonly config: PlatformContext['config'] & ConfigOf<typeof policyGuardSections>;
  readonly identity: Identity;
  /** Made here unless another service has made one already. */
  readonly engine?: TextEngine;
  /** Judges, and writes exemplars, where there is one. */
  readonly languageModel?: LanguageModel | undefined;
}

export interface PolicyGuard extends AsyncDisposable {
  readonly app: HttpApp;
  readonly grpc: GrpcServer;
  /** A guard of the caller's to try things with: their newest, else a new one on the built-in group. */
  firstGuard(caller: Caller): Promise<string>;
}

const info = {
  title: 'Bulwark policy guard',
  description:
    'Judges texts by guards: a guard links policy groups, a group holds policies. ' +
    'Every resource belongs to a tenant and to the user who made it; another tenant’s id answers 404.',
};

/** The policy guard on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createPolicyGuard(ctx: PolicyGuardContext): Promise<PolicyGuard> {
  const { config, db, cache, clock, identity } = ctx;
  const log = ctx.log.child({ service: 'policy_guard' });
  const metrics = config.metrics.enabled ? createMetrics('policy_guard') : undefined;
  const engine = ctx.engine ?? (await loadTextEngine());
  const events = createEvents(log, metrics, identity.audit);

  const store = createGuardStore(db);
  const model = ctx.languageModel;
  const writing = model && { model, jobs: ctx.jobs };
  const exemplars = await createExemplars({ db, clock, engine, log, events, writing });
  const tunings = createLiveTunings(db, engine, log);
  const staleMs = config.database.staleSeconds * 1000;
  const groups = createPolicyGroups({
    db,
    staleMs,
    clock,
    engine,
    log,
    exemplars,
    tunings,
    guardsUsing: (tx, tenantId, groupUuid) => store.listGuardsUsing(tx, tenantId, groupUuid),
  });
  const calibrationStore = createCalibrationStore(db);
  const liveCalibrations = await openLiveCalibrations(calibrationStore, log, { staleMs });
  const { judging, llm } = await openJudging({
    settings: config.policyGuardJudge,
    engine,
    cache,
    languageModel: model,
    calibrations: liveCalibrations,
    events,
  });
  const calibrations = createCalibrations({
    store: calibrationStore,
    live: liveCalibrations,
    clock,
    groups,
    judge: model && llm && { model, backend: llm },
  });
  const liveGuards = await openLiveGuards(store, log, { staleMs });
  const guardMetrics = new GuardMetrics(createMetricsStore(db), log);
  const guards = createGuards({
    store,
    clock,
    attachable: (caller, groupUuids) => groups.attachable(caller, groupUuids),
    holdGroups: (tx, groupUuids) => groups.hold(tx, groupUuids),
    engines: judging.engines,
    changed: (guardUuid) => liveGuards.changed(guardUuid),
  });
  const onError = (err: unknown) =>
    log.warn({ err }, 'whether open streams may go on could not be found out');
  const presence = openPresence({ clock, identity, keepsRoles: true, onError });
  const groupsOf = ({ tenantId, policyGroupUuids }: Guard) => groups.judgedGroups(tenantId, policyGroupUuids);
  const watching = await createWatching(ctx, {
    log,
    presence,
    metrics,
    events,
    guardMetrics,
    guardStore: store,
    liveGuards,
    guards,
    groups,
    judgedGroups: groupsOf,
  });
  const adaptationStore = createAdaptationStore(db);
  const adaptations = createAdaptations({
    store: adaptationStore,
    engine,
    clock,
    events,
    ownGuard: (caller, guardUuid) => guards.get(caller, guardUuid),
    judgedGroups: groupsOf,
    labels: (guardUuid, most) => watching.labels.asExamples(guardUuid, most),
    changed: (guardUuid) => liveGuards.changed(guardUuid),
  });
  const liveAdaptations = createLiveAdaptations(adaptationStore, engine, log);
  const secret = await sealingSecret(config);
  const redactor = createRedactor(secret);
  const judgedGroups = async (guard: Guard) => liveAdaptations.applied(guard, await groupsOf(guard));
  const { allowLists, gather, record, stages } = watching;
  const watched = { judgedGroups, allowLists, redactor, record };
  const { cacheByDefault } = config.policyGuard;
  const evaluate = createEvaluate({ ...watched, judging, cache, cacheByDefault, liveGuards, stages });

  const optimization = await createOptimization({
    db,
    clock,
    jobs: ctx.jobs,
    engine,
    groups,
    propose: model && createProposer(model, events),
    events,
  });
  const streams = createStreams({
    ...watched,
    gather,
    engine,
    presetEngine: judging.preset.engine,
    guardFor: (caller, guardUuid) => evaluate.guardFor(caller, guardUuid),
    presence,
    log,
    maxStreams: config.policyGuard.maxStreams,
    idleMs: config.policyGuard.streamIdleSeconds * 1000,
  });

  const app = createHttpServer({
    service: 'policy_guard',
    log,
    metrics,
    tracing: ctx.tracing,
    ...serverSettings(config),
    uploadLimitBytes: config.limits.uploadBytes,
  });
  app.addHook('preClose', (done) => {
    watching.endStreams();
    done();
  });
  const countRequest = createRateLimit(config.rateLimit.requestsPerMinute, clock);
  const authenticate: MountOptions<Caller>['authenticate'] = async (operation, headers) => {
    const caller = await identity.authenticate(operation, headers);
    if (caller !== undefined) countRequest(caller.apiKeyId ?? caller.userId);
    return caller;
  };
  const options: MountOptions<Caller> = {
    strictAnswers: ctx.strictAnswers,
    errorBodies: { createModeration: openAiErrorBody, createOpenAiModeration: openAiErrorBody },
    authenticate,
  };
  const apiKeys = true;
  identity.mount(app, { apiKeys });
  const described: Record<string, Operation> = { ...identity.operations({ apiKeys }) };
  const add = <Ops extends Operations>(operations: Ops, handlers: Handlers<Ops, Caller>) => {
    mount(app, operations, handlers, options);
    Object.assign(described, operations);
  };
  add(groups.operations, groups.handlers);
  add(guardOperations, guardHandlers(guards, guardMetrics));
  add(watching.operations, watching.handlers);
  add(adaptationOperations, adaptationHandlers(adaptations));
  add(
    optimizationOperations,
    optimizationHandlers(optimization, (group) => groups.viewed(group)),
  );
  add(testerOperations, testerHandlers(createTestGroup({ engine, judging, groups })));
  const moderationGuard = createModerationGuard(store, config.policyGuard.moderationGuard);
  add(
    evaluateOperations,
    evaluateHandlers(evaluate, {
      engine,
      judging,
      cache,
      cacheByDefault,
      clock,
      events,
      moderationGuard,
    }),
  );
  add(adapterOperations, adapterHandlers(evaluate, redactor));
  add(calibrationOperations, calibrationHandlers(calibrations));
  add(languageModelOperations, languageModelHandlers(model));
  add(extractionOperations, extractionHandlers(createExtract({ model, events }), log));
  add(redactionOperations, redactionHandlers(redactor));
  add(streamOperations, streamHandlers(streams));
  add(healthOperations, {
    getHealth: () => ({
      status: 'ok' as const,
      version: ctx.version,
      environment: config.environment,
      ...judgeToHealth(judging, model),
    }),
  });
  addMetrics(app, config.metrics.path, metrics);
  addDocs(app, toOpenApiDocument(described, { ...info, version: ctx.version }));

  const grpc = createGrpcServer({
    protoFile: topicGuardProto,
    serviceName: topicGuardService,
    methods: topicGuardMethods(evaluate),
    config: config.grpc,
    maxMessageBytes: config.limits.bodyBytes,
    log,
    metrics,
    authenticate,
  });

  return {
    app,
    grpc,
    async firstGuard(caller) {
      const { guards: own } = await guards.list(caller, { limit: 1, offset: 0 });
      const guard =
        own[0] ??
        (await guards.create(caller, { name: 'First guard', policyGroupUuids: [builtInGroupUuid] }));
      return guard.guardUuid;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([app.close(), grpc[Symbol.asyncDispose]()]);
      presence[Symbol.dispose]();
      await optimization[Symbol.asyncDispose]();
      await exemplars[Symbol.asyncDispose]();
      await tunings[Symbol.asyncDispose]();
      await watching[Symbol.asyncDispose]();
      await guardMetrics[Symbol.asyncDispose]();
      await liveGuards[Symbol.asyncDispose]();
      await liveCalibrations[Symbol.asyncDispose]();
      await groups[Symbol.asyncDispose]();
    },
  };
}
