import { join } from 'node:path';
import { toIsoTime } from '#base/clock.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { createMailer } from '#base/mail/mailer.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { createActionEngine } from '#engine/actions/engine.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import type { actionGuardSections } from './config.ts';
import { Approvals } from './approvals/approvals.ts';
import { followEndedCalls } from './approvals/ended-calls.ts';
import { approvalHandlers, viewedOne } from './approvals/routes.ts';
import { deleteApprovalsBefore } from './approvals/store.ts';
import { approvalOperations } from './contract/approvals.ts';
import { evaluateOperations } from './contract/evaluate.ts';
import { extractionOperations } from './contract/extraction.ts';
import { healthOperations } from './contract/health.ts';
import { logOperations } from './contract/logs.ts';
import { policyOperations } from './contract/policies.ts';
import { ruleOperations } from './contract/rules.ts';
import { tryOperations } from './contract/trying.ts';
import { setOperations } from './contract/sets.ts';
import { templateOperations } from './contract/templates.ts';
import { countedDays, createCounting } from './counting/counting.ts';
import { deleteAmountsBefore, deleteCallsBefore } from './counting/store.ts';
import { Evaluate } from './evaluate/evaluate.ts';
import type { Judge } from './evaluate/judge.ts';
import { evaluateHandlers } from './evaluate/routes.ts';
import { createReadSteps } from './evaluate/read-steps.ts';
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
import { Policies } from './policies/policies.ts';
import { policyHandlers } from './policies/routes.ts';
import { byGrammar, createReadSentence } from './rules/read-sentence.ts';
import { ruleHandlers } from './rules/routes.ts';
import { createRefuseUsed } from './sets/gateways-of-set.ts';
import { openLiveSets } from './sets/live-sets.ts';
import { setHandlers, viewedWith } from './sets/routes.ts';
import { Sets } from './sets/sets.ts';
import { tryHandlers } from './trying/routes.ts';
import { templateHandlers } from './templates/routes.ts';
import { readTemplates } from './templates/templates.ts';

/** The tables of this service. */
export const actionGuardMigrations: MigrationSet = {
  schema: 'action_guard',
  folder: join(import.meta.dirname, 'migrations'),
};

export interface ActionGuardContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof actionGuardSections>;
  /** Where other services of this process ask for verdicts. */
  readonly calls?: ServiceCalls<Caller>;
  /** Made here unless another service has made one already. */
  readonly engine?: TextEngine;
  /** Takes part in verdicts where there is one. */
  readonly languageModel?: LanguageModel | undefined;
  /** In the place of the judge that asks the language model. */
  readonly judge?: Judge;
}

export type ActionGuard = RunningService;

const operations = {
  ...evaluateOperations,
  ...approvalOperations,
  ...logOperations,
  ...setOperations,
  ...policyOperations,
  ...ruleOperations,
  ...tryOperations,
  ...templateOperations,
  ...extractionOperations,
};

const info = {
  name: 'action_guard',
  title: 'Bulwark action guard',
  description:
    'Judges what an agent is about to do by policy sets: a set holds policies, a policy holds rules with a severity. ' +
    'Every resource belongs to a tenant and to the user who made it; another tenant’s id answers 404.',
  apiKeys: false,
  takesFiles: true,
};

const abilities = [
  'guard_actions',
  'approvals',
  'logs',
  'policy_sets',
  'templates',
  'rule_extraction',
  'rule_compiler',
];

/** The action guard on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createActionGuard(ctx: ActionGuardContext): Promise<ActionGuard> {
  const { config } = ctx;
  await using service = openService(ctx, info);
  service.add(operations, await createFeatures({ ...ctx, log: service.log }, service));
  service.add(healthOperations, {
    getHealthz: () => ({
      status: 'ok' as const,
      service: 'action-guard' as const,
      version: ctx.version,
      timestamp: toIsoTime(ctx.clock.now()),
      llm_available: ctx.languageModel?.status().available ?? ctx.judge !== undefined,
      features: [...abilities, ...(config.smtp.url === undefined ? [] : ['email_notices'])],
    }),
  });
  return service.open();
}

/** Everything behind the routes. */
async function createFeatures(ctx: ActionGuardContext, service: OpenService) {
  const { config, db, jobs, runs, clock, log, identity } = ctx;
  const { audit, userNames } = identity;
  const engine = createActionEngine(ctx.engine ?? (await loadTextEngine()), judgeByForm);
  const events = createEvents(log, service.metrics);
  const templates = readTemplates();
  const liveSets = service.own(await openLiveSets({ db, log, templates }));
  const onChanged = (policySetId: string) => liveSets.changed(policySetId);
  const readSentence =
    ctx.languageModel === undefined || config.actionGuard.ruleReader === 'grammar'
      ? async (sentence: string) => byGrammar(sentence)
      : createReadSentence({ model: ctx.languageModel, engine, timeoutMs: config.llm.timeoutMs, log });
  const policies = new Policies({
    db,
    clock,
    audit,
    readSentence,
    findTemplate: (policyId) => templates.find(policyId),
    onChanged,
  });
  const refuseUsed = createRefuseUsed({
    calls: ctx.calls,
    baseUrl: config.actionGuard.agentGatewayUrl ?? `http://127.0.0.1:${config.port.agentGateway}`,
    tokenFor: (caller) => identity.tokenFor(caller),
    log,
  });
  const sets = new Sets({ db, clock, audit, templates, policies, onChanged, refuseUsed });
  const { url, from } = config.smtp;
  const mailer = url === undefined ? undefined : createMailer({ url, from });
  const notices = service.own(await openNotices({ db, jobs, clock, log, events, mailer }));
  const logWriter = service.own(
    createLogWriter(
      async (entries) => {
        await insertLogs(db, entries);
        for (const { tenantId, userId } of entries) ctx.changes?.note({ what: 'actions', tenantId, userId });
      },
      log,
      service.metrics,
    ),
  );
  const {
    logRetentionDays: days,
    logParamsBytes: paramsBytes,
    logToolOutputs,
    logTraces,
    logTraceBytes,
    ownDomains,
    unconfirmedRules,
    approvalMinutes,
    extractionRetentionDays: retentionDays,
  } = config.actionGuard;
  await scheduleRetention({
    jobName: 'action-guard-log-retention',
    days,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteLogsBefore(db, moment, limit),
    afterwards: () => deleteEmptyCounts(db),
  });
  await scheduleRetention({
    jobName: 'action-guard-counted-calls',
    days: countedDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteCallsBefore(db, moment, limit),
  });
  await scheduleRetention({
    jobName: 'action-guard-counted-amounts',
    days: countedDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteAmountsBefore(db, moment, limit),
  });
  await scheduleRetention({
    jobName: 'action-guard-approval-retention',
    days,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteApprovalsBefore(db, moment, limit),
  });
  const noteDecision = (tenantId: string) => ctx.changes?.note({ what: 'decisions', tenantId });
  const approvals = new Approvals({
    db,
    clock,
    audit,
    minutes: approvalMinutes,
    onChanged: noteDecision,
    approversOf: async (tenantId, setId) =>
      (await liveSets.find(tenantId, setId)) ?? { ownerId: null, userRoles: {} },
  });
  service.own(await followEndedCalls({ db, clock, log, onChanged: noteDecision }));
  const extraction = service.own(
    createExtraction({ db, runs, events, metrics: service.metrics, retentionDays }),
  );
  const { languageModel } = ctx;
  const { timeoutMs } = config.llm;
  const judge = ctx.judge ?? (languageModel && createLanguageJudge(languageModel, { log, timeoutMs }));
  const logged = {
    paramsBytes,
    toolOutputs: logToolOutputs,
    traces: logTraces,
    traceBytes: logTraceBytes,
  };
  const evaluate = new Evaluate({
    engine,
    clock,
    liveSets,
    counting: createCounting({ db, clock }),
    approvals,
    logWriter,
    notices,
    events,
    count: ctx.alerts?.count,
    judge,
    logged,
    ownDomains,
    unconfirmedRules,
  });
  provideVerdicts(ctx.calls, evaluate, engine.version);
  const viewedSet = viewedWith(userNames);
  const setNames = (setIds: Iterable<string>) => sets.names(setIds);
  const ofApprovals = { approvals, clock, userNames, setNames };
  ctx.calls?.provide(approvalOperations.decideActionApproval, async (caller, { params, body }) => {
    const decided = await approvals.decide({ caller }, params.approval_id, {
      approve: body.decision === 'approve',
      note: body.note ?? null,
    });
    return viewedOne(ofApprovals)(caller, decided);
  });
  ctx.calls?.provide(approvalOperations.getActionApproval, async (caller, { params }) =>
    viewedOne(ofApprovals)(caller, await approvals.get(caller, params.approval_id)),
  );
  provideSets(ctx, sets, viewedSet);
  return {
    ...evaluateHandlers(evaluate, engine.version),
    ...approvalHandlers(ofApprovals),
    ...logHandlers({ db, clock, userNames, setNames }),
    ...setHandlers(sets, userNames),
    ...policyHandlers(policies, userNames),
    ...ruleHandlers(readSentence),
    ...tryHandlers({ db, clock, engine, ownDomains }),
    ...templateHandlers(templates),
    ...extractionHandlers(extraction),
  };
}

/** What services of this process ask about policy sets, and alerts about them. */
function provideSets(
  { calls, alerts }: Pick<ActionGuardContext, 'calls' | 'alerts'>,
  sets: Sets,
  viewed: ReturnType<typeof viewedWith>,
): void {
  alerts?.hasSubjects('actions', (tenantId, setId) => sets.exists({ tenantId }, setId));
  calls?.provide(setOperations.getPolicySetState, async (caller, { params: { policy_set_id: id } }) => ({
    policy_set_id: id,
    exists: await sets.exists(caller, id),
  }));
  calls?.provide(setOperations.getPolicySet, async (caller, { params }) =>
    viewed(caller, await sets.get(caller, params.policy_set_id)),
  );
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
  const read = createReadSteps();
  calls?.provide(guardActions, async (caller, { body }) => {
    const question = readQuestion({ ...body, fast_mode: body.fast_mode ?? false }, read);
    return viewEvaluation(await evaluate.evaluate(caller, question, { behind: true }), engineVersion);
  });
}
