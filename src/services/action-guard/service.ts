import { join } from 'node:path';
import { toIsoTime } from '#base/clock.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { addDocs } from '#base/http/docs.ts';
import { addMetrics } from '#base/http/metrics-route.ts';
import { mount, type MountOptions } from '#base/http/mount.ts';
import { createRateLimit } from '#base/http/rate-limit.ts';
import { createHttpServer, type HttpApp, serverSettings } from '#base/http/server.ts';
import { createMailer } from '#base/mail/mailer.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { createMetrics, type Metrics } from '#base/metrics/metrics.ts';
import { createActionEngine } from '#engine/actions/engine.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import type { actionGuardSections } from './config.ts';
import { evaluateOperations } from './contract/evaluate.ts';
import { extractionOperations } from './contract/extraction.ts';
import { healthOperations } from './contract/health.ts';
import { logOperations } from './contract/logs.ts';
import { policyOperations } from './contract/policies.ts';
import { setOperations } from './contract/sets.ts';
import { templateOperations } from './contract/templates.ts';
import { createEvaluate, type Evaluate } from './evaluate/evaluate.ts';
import type { Judge } from './evaluate/judge.ts';
import { evaluateHandlers } from './evaluate/routes.ts';
import { readQuestion, viewEvaluation } from './evaluate/view.ts';
import { createEvents } from './events.ts';
import { createExtraction } from './extraction/extraction.ts';
import { extractionHandlers } from './extraction/routes.ts';
import { createLanguageJudge } from './language-judge/language-judge.ts';
import { createLogWriter } from './logs/log-writer.ts';
import { deleteEmptyCounts, deleteLogsBefore } from './logs/retention-store.ts';
import { logHandlers } from './logs/routes.ts';
import { insertLogs } from './logs/store.ts';
import { openNotices } from './notices/notices.ts';
import { createPolicies } from './policies/policies.ts';
import { policyHandlers } from './policies/routes.ts';
import { openLiveSets } from './sets/live-sets.ts';
import { setHandlers } from './sets/routes.ts';
import { createSets } from './sets/sets.ts';
import { viewSetDetail } from './sets/view.ts';
import { templateHandlers } from './templates/routes.ts';
import { readTemplates } from './templates/templates.ts';

/** The tables of this service. */
export const actionGuardMigrations: MigrationSet = {
  schema: 'action_guard',
  folder: join(import.meta.dirname, 'migrations'),
};

export interface ActionGuardContext extends PlatformContext {
  readonly config: PlatformContext['config'] & ConfigOf<typeof actionGuardSections>;
  readonly identity: Identity;
  /** Where other services of this process ask for verdicts. */
  readonly calls?: ServiceCalls<Caller>;
  /** Made here unless another service has made one already. */
  readonly engine?: TextEngine;
  /** Takes part in verdicts where there is one. */
  readonly languageModel?: LanguageModel | undefined;
  /** In the place of the judge that asks the language model. */
  readonly judge?: Judge;
}

export interface ActionGuard extends AsyncDisposable {
  readonly app: HttpApp;
}

const operations = {
  ...evaluateOperations,
  ...logOperations,
  ...setOperations,
  ...policyOperations,
  ...templateOperations,
  ...extractionOperations,
};

const info = {
  title: 'Bulwark action guard',
  description:
    'Judges what an agent is about to do by policy sets: a set holds policies, a policy holds rules with a severity. ' +
    'Every resource belongs to a tenant and to the user who made it; another tenant’s id answers 404.',
};

const abilities = ['guard_actions', 'logs', 'policy_sets', 'templates', 'rule_extraction', 'rule_compiler'];

/** The action guard on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createActionGuard(ctx: ActionGuardContext): Promise<ActionGuard> {
  const { config } = ctx;
  const log = ctx.log.child({ service: 'action_guard' });
  const metrics = config.metrics.enabled ? createMetrics('action_guard') : undefined;
  const features = await createFeatures({ ...ctx, log }, metrics);

  const app = createHttpServer({
    service: 'action_guard',
    log,
    metrics,
    tracing: ctx.tracing,
    ...serverSettings(config),
    uploadLimitBytes: config.limits.uploadBytes,
  });
  const countRequest = createRateLimit(config.rateLimit.requestsPerMinute, ctx.clock);
  const options: MountOptions<Caller> = {
    strictAnswers: ctx.strictAnswers,
    async authenticate(operation, headers) {
      const caller = await ctx.identity.authenticate(operation, headers);
      if (caller !== undefined) countRequest(caller.apiKeyId ?? caller.userId);
      return caller;
    },
  };
  const apiKeys = false;
  ctx.identity.mount(app, { apiKeys });
  mount(app, operations, features.handlers, options);
  mount(
    app,
    healthOperations,
    {
      getHealthz: () => ({
        status: 'ok' as const,
        service: 'action-guard' as const,
        version: ctx.version,
        timestamp: toIsoTime(ctx.clock.now()),
        llm_available: ctx.languageModel?.status().available ?? ctx.judge !== undefined,
        features: [...abilities, ...(config.smtp.url === undefined ? [] : ['email_notices'])],
      }),
    },
    options,
  );
  addMetrics(app, config.metrics.path, metrics);
  addDocs(
    app,
    toOpenApiDocument(
      { ...operations, ...ctx.identity.operations({ apiKeys }), ...healthOperations },
      { ...info, version: ctx.version },
    ),
  );
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      await features.dispose();
    },
  };
}

/** Everything behind the routes. */
async function createFeatures(ctx: ActionGuardContext, metrics: Metrics | undefined) {
  const { config, db, jobs, clock, log, identity } = ctx;
  const engine = createActionEngine(ctx.engine ?? (await loadTextEngine()));
  const events = createEvents(log, metrics, identity.audit);
  const templates = readTemplates(engine);
  const liveSets = await openLiveSets({ db, engine, templates });
  const onChanged = (policySetId: string) => liveSets.changed(policySetId);
  const policies = createPolicies({
    db,
    clock,
    engine,
    findTemplate: (policyId) => templates.find(policyId),
    onChanged,
  });
  const sets = createSets({ db, clock, engine, templates, policies, onChanged });
  const { url, from } = config.smtp;
  const mailer = url === undefined ? undefined : createMailer({ url, from });
  const notices = await openNotices({ db, jobs, clock, log, events, mailer });
  const logWriter = createLogWriter(
    (entries) => insertLogs(db, entries),
    // The log line is what is left of it.
    (entry, err) => log.error({ err, entry }, 'an evaluation’s log entry cannot be written'),
  );
  const {
    logRetentionDays: days,
    logParamsBytes: paramsBytes,
    logToolOutputs,
    ownDomains,
  } = config.actionGuard;
  await scheduleRetention({
    jobName: 'action-guard-log-retention',
    days,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteLogsBefore(db, moment, limit),
    afterwards: () => deleteEmptyCounts(db),
  });
  const extraction = await createExtraction({ db, jobs, clock, log, events });
  const { languageModel } = ctx;
  const { timeoutMs } = config.llm;
  const judge = ctx.judge ?? (languageModel && createLanguageJudge(languageModel, { log, timeoutMs }));
  const logged = { paramsBytes, toolOutputs: logToolOutputs };
  const evaluate = createEvaluate({
    engine,
    clock,
    liveSets,
    logWriter,
    notices,
    events,
    judge,
    logged,
    ownDomains,
  });
  provideVerdicts(ctx.calls, evaluate, engine.version);
  ctx.calls?.provide(setOperations.getPolicySet, async (caller, { params }) =>
    viewSetDetail(await sets.get(caller, params.policy_set_id)),
  );
  return {
    handlers: {
      ...evaluateHandlers(evaluate, engine.version),
      ...logHandlers({ db, clock }),
      ...setHandlers(sets, events),
      ...policyHandlers(policies, events),
      ...templateHandlers(templates),
      ...extractionHandlers(extraction),
    },
    async dispose() {
      await logWriter[Symbol.asyncDispose]();
      await notices[Symbol.asyncDispose]();
      await liveSets[Symbol.asyncDispose]();
    },
  };
}

/**
 * Services of this process get their verdicts without HTTP, and do not wait for the log of what is allowed: they keep one
 * of their own calls, and a verdict that waits for the disk would cost a call more than everything else does.
 */
function provideVerdicts(
  calls: ActionGuardContext['calls'],
  evaluate: Evaluate,
  engineVersion: string,
): void {
  const { guardActions } = evaluateOperations;
  calls?.provide(guardActions, async (caller, { body }) => {
    const question = readQuestion({ ...body, fast_mode: body.fast_mode ?? false });
    return viewEvaluation(await evaluate.evaluate(caller, question, { behind: true }), engineVersion);
  });
}
