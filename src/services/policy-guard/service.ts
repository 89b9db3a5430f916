import { join } from 'node:path';
import type { ConfigOf } from '#base/config/setting.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { createGrpcServer, type GrpcServer } from '#base/grpc/server.ts';
import { sealingSecret } from '#base/secrets/shared-keys.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import { openPresence } from '#identity/presence.ts';
import { createAllowList } from './guards/allow-list/allow-list.ts';
import { createLiveAllowLists } from './guards/allow-list/live-allow-lists.ts';
import { allowListHandlers } from './guards/allow-list/routes.ts';
import { adapterHandlers } from './apis/adapters/routes.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { Adaptations } from './learning/adaptations/adaptations.ts';
import { LiveAdaptations } from './learning/adaptations/live-adaptations.ts';
import { adaptationHandlers } from './learning/adaptations/routes.ts';
import { openService, type RunningService, type ServiceContext } from '../open-service.ts';
import type { policyGuardSections } from './config.ts';
import { adaptationOperations } from './contract/adaptations.ts';
import { adapterOperations } from './contract/adapters.ts';
import { allowListOperations } from './contract/allow-list.ts';
import { calibrationOperations } from './contract/calibrations.ts';
import { draftOperations } from './contract/drafts.ts';
import { evaluateOperations } from './contract/evaluate.ts';
import { extractionOperations } from './contract/extraction.ts';
import { guardOperations } from './contract/guards.ts';
import { healthOperations } from './contract/health.ts';
import { languageModelOperations } from './contract/language-model.ts';
import { optimizationOperations } from './contract/optimization.ts';
import { redactionOperations } from './contract/redaction.ts';
import { streamOperations } from './contract/stream.ts';
import { testerOperations } from './contract/tester.ts';
import { Evaluate } from './judging/evaluate/evaluate.ts';
import { openAiErrorBody } from './apis/openai/openai-error.ts';
import { evaluateHandlers } from './apis/evaluate/routes.ts';
import { createEvents } from './events.ts';
import { createExemplars } from './library/exemplars/exemplars.ts';
import { createExtract } from './apis/extraction/extraction.ts';
import { extractionHandlers } from './apis/extraction/routes.ts';
import { topicGuardMethods, topicGuardProto, topicGuardService } from './apis/grpc/methods.ts';
import { createPolicyGroups, type PolicyGroups } from './library/groups/policy-groups.ts';
import { Calibrations } from './judging/calibrations/calibrations.ts';
import { openLiveCalibrations } from './judging/calibrations/live-calibrations.ts';
import { calibrationHandlers } from './judging/calibrations/routes.ts';
import { judgeToHealth } from './judging/judges/health-view.ts';
import { openJudging } from './judging/judges/open-judging.ts';
import { languageModelHandlers } from './judging/judges/test-language-model.ts';
import type { Guard } from './guards/guard.ts';
import { Guards } from './guards/guards.ts';
import { openLiveGuards } from './guards/live-guards.ts';
import { GuardMetrics } from './guards/metrics.ts';
import { guardHandlers } from './guards/routes.ts';
import { findGuard, listGuardsUsing } from './guards/store.ts';
import { createModerationGuard } from './apis/openai/moderation-guard.ts';
import { createLiveTunings } from './library/tunings/live-tunings.ts';
import { Optimization } from './learning/optimization/optimization.ts';
import { createProposer } from './learning/optimization/propose.ts';
import { optimizationHandlers } from './learning/optimization/routes.ts';
import { createRedactor } from './judging/redaction/redactor.ts';
import { redactionHandlers } from './judging/redaction/routes.ts';
import { provideVerdicts } from './apis/evaluate/provide-verdicts.ts';
import { streamHandlers } from './apis/stream/routes.ts';
import { createStreams } from './apis/stream/stream.ts';
import { draftHandlers } from './apis/drafts/routes.ts';
import { TestCases } from './apis/drafts/test-cases.ts';
import { testerHandlers } from './apis/tester/routes.ts';
import { createTestGroup } from './apis/tester/tester.ts';
import { builtInGroupUuid } from './library/templates/shipped-templates.ts';
import { createWatching } from './observing/watching.ts';

/** The tables of this service. */
export const policyGuardMigrations: MigrationSet = {
  schema: 'policy_guard',
  folder: join(import.meta.dirname, 'migrations'),
};

export interface PolicyGuardContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof policyGuardSections>;
  /** Made here unless another service has made one already. */
  readonly engine?: TextEngine;
  /** Judges texts and writes exemplars, if configured. */
  readonly languageModel?: LanguageModel | undefined;
  /** Operations that services of this process answer for each other. */
  readonly calls?: ServiceCalls<Caller> | undefined;
}

export interface PolicyGuard extends RunningService {
  readonly grpc: GrpcServer;
  /** A guard of the caller's to try things with: their newest, else a new one on the built-in group. */
  firstGuard(caller: Caller): Promise<string>;
}

const info = {
  name: 'policy_guard',
  title: 'Bulwark policy guard',
  description:
    'Judges texts by guards: a guard links policy groups, a group holds policies. ' +
    'Every resource belongs to a tenant and to the user who made it; another tenant’s id answers 404.',
  apiKeys: true,
  takesFiles: true,
};

/** The policy guard on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createPolicyGuard(ctx: PolicyGuardContext): Promise<PolicyGuard> {
  const { config, db, cache, clock, identity } = ctx;
  await using service = openService(ctx, info);
  const { log, metrics } = service;
  const engine = ctx.engine ?? (await loadTextEngine());
  const events = createEvents(log, metrics, identity.audit);

  const model = ctx.languageModel;
  const writing = model && { model, jobs: ctx.jobs };
  const staleMs = config.database.staleSeconds * 1000;
  const exemplars = service.own(await createExemplars({ db, clock, engine, log, events, writing }));
  const tunings = service.own(createLiveTunings(db, engine, log));
  const groups = service.own(
    await createPolicyGroups({
      db,
      staleMs,
      clock,
      audit: identity.audit,
      engine,
      log,
      exemplars,
      tunings,
      userNames: identity.userNames,
      modelJudges: model !== undefined && config.policyGuardJudge.engine !== 'embedded',
      guardsUsing: listGuardsUsing,
      removing: (tx, groupUuid) => optimization.removeJobs(tx, groupUuid),
    }),
  );
  const groupNames: PolicyGroups['names'] = (tenantId, groupUuids) => groups.names(tenantId, groupUuids);
  const liveCalibrations = service.own(await openLiveCalibrations({ db, log, staleMs }));
  const { judging, llm } = await openJudging({
    settings: config.policyGuardJudge,
    engine,
    cache,
    languageModel: model,
    calibrations: liveCalibrations,
    events,
  });
  const calibrations = new Calibrations({
    db,
    live: liveCalibrations,
    clock,
    audit: identity.audit,
    groups,
    judge: model && llm && { model, backend: llm },
  });
  const liveGuards = service.own(await openLiveGuards({ db, log, staleMs }));
  const guardMetrics = service.own(new GuardMetrics(db, log));
  const guards = new Guards({
    db,
    clock,
    audit: identity.audit,
    attachable: (caller, groupUuids) => groups.attachable(caller, groupUuids),
    holdGroups: (tx, groupUuids) => groups.hold(tx, groupUuids),
    engines: judging.engines,
    changed: (guardUuid) => liveGuards.changed(guardUuid),
  });
  const allowList = createAllowList({
    db,
    clock,
    events,
    ownGuard: (caller, guardUuid) => guards.getOwn(caller, guardUuid),
    changed: (guardUuid) => liveGuards.changed(guardUuid),
  });
  const onError = (err: unknown) =>
    log.warn({ err }, 'whether open streams may go on could not be found out');
  const presence = service.own(openPresence({ clock, identity, keepsRoles: true, onError }));
  const groupsOf = ({ tenantId, policyGroupUuids }: Guard) => groups.judgedGroups(tenantId, policyGroupUuids);
  const watching = service.own(
    await createWatching(ctx, {
      log,
      presence,
      metrics,
      events,
      guardMetrics,
      liveGuards,
      guards,
      groups,
      judgedGroups: groupsOf,
    }),
  );
  const adaptations = new Adaptations({
    db,
    engine,
    clock,
    events,
    ownGuard: (caller, guardUuid) => guards.getOwn(caller, guardUuid),
    judgedGroups: groupsOf,
    labels: (guardUuid, most) => watching.labels.asExamples(guardUuid, most),
    changed: (guardUuid) => liveGuards.changed(guardUuid),
  });
  const liveAdaptations = new LiveAdaptations(db, engine, log);
  const secret = await sealingSecret(config);
  const redactor = createRedactor(secret);
  const judgedGroups = async (guard: Guard) => liveAdaptations.applied(guard, await groupsOf(guard));
  const allowLists = createLiveAllowLists(db, clock);
  const { gather, record, stages } = watching;
  const watched = { judgedGroups, allowLists, redactor, record };
  const { cacheByDefault } = config.policyGuard;
  const evaluate = new Evaluate({ ...watched, judging, cache, cacheByDefault, liveGuards, stages });

  const optimization: Optimization = service.own(
    new Optimization({
      db,
      clock,
      runs: ctx.runs,
      metrics: service.metrics,
      engine,
      groups,
      propose: model && createProposer(model, events),
      events,
    }),
  );
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

  service.app.addHook('preClose', (done) => {
    watching.endStreams();
    done();
  });
  service.add(groups.operations, groups.handlers);
  const { userNames } = identity;
  const ofGuards = guardHandlers({ guards, metrics: guardMetrics, userNames, groupNames });
  service.add(guardOperations, ofGuards);
  ctx.alerts?.hasSubjects(
    'texts',
    async (tenantId, guardUuid) => (await findGuard(db, guardUuid))?.tenantId === tenantId,
  );
  service.add(allowListOperations, allowListHandlers(allowList, clock, userNames));
  service.add(watching.operations, watching.handlers);
  service.add(adaptationOperations, adaptationHandlers(adaptations, groupNames));
  service.add(
    optimizationOperations,
    optimizationHandlers(optimization, groupNames, (group) => groups.viewed(group)),
  );
  service.add(testerOperations, testerHandlers(createTestGroup({ engine, judging, groups })));
  const { queries, flushLog } = watching;
  const drafts = { engine, groups, clock, queries, flushLog, testCases: new TestCases({ db, groups }) };
  service.add(draftOperations, draftHandlers({ ...drafts, log }));
  const moderationGuard = createModerationGuard(db, config.policyGuard.moderationGuard);
  const verdicts = evaluateHandlers(evaluate, {
    engine,
    judging,
    cache,
    cacheByDefault,
    clock,
    events,
    moderationGuard,
  });
  service.add(evaluateOperations, verdicts, {
    createModeration: openAiErrorBody,
    createOpenAiModeration: openAiErrorBody,
  });
  provideVerdicts(ctx.calls, verdicts, ofGuards);
  service.add(adapterOperations, adapterHandlers(evaluate, redactor));
  service.add(calibrationOperations, calibrationHandlers(calibrations));
  service.add(languageModelOperations, languageModelHandlers(model));
  service.add(extractionOperations, extractionHandlers(createExtract({ model, events }), log));
  service.add(redactionOperations, redactionHandlers(redactor));
  service.add(streamOperations, streamHandlers(streams));
  service.add(healthOperations, {
    getHealth: () => ({
      status: 'ok' as const,
      version: ctx.version,
      environment: config.environment,
      ...judgeToHealth(judging, model),
    }),
  });

  const grpc = createGrpcServer({
    protoFile: topicGuardProto,
    serviceName: topicGuardService,
    methods: topicGuardMethods(evaluate),
    config: config.grpc,
    maxMessageBytes: config.limits.bodyBytes,
    log,
    metrics,
    authenticate: service.authenticate,
  });

  return {
    ...service.open([grpc]),
    grpc,
    async firstGuard(caller) {
      const { guards: own } = await guards.list(caller, 'me', { limit: 1, offset: 0 });
      const guard =
        own[0] ??
        (await guards.create({ caller }, { name: 'First guard', policyGroupUuids: [builtInGroupUuid] }));
      return guard.guardUuid;
    },
  };
}
