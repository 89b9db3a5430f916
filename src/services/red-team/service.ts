import { join } from 'node:path';
import type { ConfigOf } from '#base/config/setting.ts';
import { openArtifacts } from '#base/artifacts/open-artifacts.ts';
import { createServiceCalls, type ServiceCalls } from '#base/contract/calls.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import type { HttpApp } from '#base/http/server.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import { openOutbound } from '#base/net/outbound.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { openVault } from '#base/secrets/vault.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import type { Caller } from '#identity/caller.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { defineReports } from '#reports/report-runs.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import { agentHandlers } from './agents/routes.ts';
import type { redTeamSections } from './config.ts';
import { agentOperations } from './contract/agents.ts';
import { defenceOperations } from './contract/defence.ts';
import { evaluationOperations } from './contract/evaluations.ts';
import { healthOperations } from './contract/health.ts';
import { metadataOperations } from './contract/metadata.ts';
import { ownTaskOperations } from './contract/own-tasks.ts';
import { reportOperations } from './contract/reports.ts';
import { resultOperations } from './contract/results.ts';
import { runOperations } from './contract/runs.ts';
import { defenceHandlers } from './defence/routes.ts';
import { evaluationHandlers } from './evaluations/routes.ts';
import { driverOf } from './pool/drivers.ts';
import { ownTaskHandlers } from './own-tasks/routes.ts';
import { createPoolManager } from './pool/pool-manager.ts';
import { instanceCounts } from './pool/pool-file.ts';
import { Pool } from './pool/pool.ts';
import { type ReportInput, reportDocument, reportHandlers } from './reports/routes.ts';
import { resultHandlers } from './results/routes.ts';
import { createExecuteRun } from './runs/execute.ts';
import { Lanes } from './runs/lanes.ts';
import { runHandlers } from './runs/routes.ts';
import { RedTeamRuns } from './runs/runs.ts';
import { endUnfinished, findByWork } from './runs/store.ts';
import { TrajectoryFiles } from './runs/trajectory.ts';
import { BuiltInAgents } from './scripted-agent/built-in.ts';
import { McpProxy } from './sessions/mcp-proxy.ts';
import { ProxyRoutes } from './sessions/routes.ts';
import { RunningSessions } from './sessions/running-sessions.ts';
import { metadataHandlers } from './tasks/metadata.ts';
import { sealedAgents } from './agents/connection.ts';

/** The tables of this service. */
export const redTeamMigrations: MigrationSet = {
  schema: 'red_team',
  folder: join(import.meta.dirname, 'migrations'),
};

/** Its secrets at rest. */
export const redTeamSealed: readonly SealedColumn[] = [sealedAgents];

export interface RedTeamContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof redTeamSections>;
  /** Undefined where none is configured. */
  readonly languageModel: LanguageModel | undefined;
  /** Operations that services of this process answer for each other; default: none. */
  readonly calls?: ServiceCalls<Caller>;
  /** Where a service of this deployment listens. */
  readonly addressOf: (service: string) => string;
}

export interface RedTeam extends RunningService {
  readonly second: { readonly name: string; readonly app: HttpApp; readonly portKey: 'redTeamPool' };
}

const info = {
  name: 'red_team',
  title: 'Bulwark red teaming',
  description:
    'Attacks any agent over HTTP in sandboxed tool environments, and judges it by what it did: tasks, runs, trajectories, ' +
    'figures with intervals, reports.',
  apiKeys: false,
  takesFiles: false,
};

/** Runs may wait for days on a slow agent. */
const longestSeconds = 90 * 86_400;
/** Each task is judged once, so a run can be continued however often its process died. */
const mostCrashes = 100;

/** The red-teaming platform on a database that has its migrations and those of identity, runs and artifacts. Dispose it before the database. */
export async function createRedTeam(ctx: RedTeamContext): Promise<RedTeam> {
  await using service = openService(ctx, info);
  const { config, db, clock, identity, version } = ctx;
  const { redTeam } = config;
  const { log } = service;
  const pool = openPool(ctx, service);
  const sessions = new RunningSessions();
  const mcpUrl = () =>
    (redTeam.proxyMcpUrl ?? `${ctx.addressOf('red-team')}/sandbox/mcp`).replace(/\/+$/, '');
  const vault = await openVault(config);
  const outbound = service.own(openOutbound(config));
  const files = new TrajectoryFiles(config.dataDir);
  const gateways = {
    gatewayUrl: () => ctx.addressOf('agent-gateway'),
    identity,
    // Only addresses that our own gateway has answered are called.
    outbound: service.own(openOutbound({ environment: 'development', allowPrivateNetwork: ['true'] })),
  };
  const deps = {
    db,
    clock,
    log,
    vault,
    outbound,
    identity,
    pool,
    sessions,
    files,
    mcpUrl,
    gateways,
    tasks: shippedTasks,
  };
  const kind = defineRuns(
    ctx,
    service,
    createExecuteRun({ ...deps, languageModel: ctx.languageModel, lanes: new Lanes() }),
  );
  const runs = new RedTeamRuns({
    ...deps,
    kind,
    canRewrite: ctx.languageModel !== undefined,
    maxConcurrentTasks: redTeam.maxConcurrentTasks,
    agentTimeoutSeconds: redTeam.agentRequestTimeoutSeconds,
  });
  const artifacts = ctx.artifacts ?? openArtifacts(config, db, clock);
  const reports = defineReports<ReportInput>({ db, runs: ctx.runs, artifacts }, 'red_team_report', {
    document: reportDocument(db),
    fileName: ({ runId }) => `red-team-${runId}.pdf`,
  });
  service.add(agentOperations, agentHandlers(deps));
  const scripted = new BuiltInAgents({ ...deps, ownUrl: () => ctx.addressOf('red-team') });
  scripted.addTo(service.app);
  service.add(metadataOperations, metadataHandlers({ ...deps, scriptedAgents: () => scripted.list() }));
  service.add(evaluationOperations, evaluationHandlers({ ...deps, runs }));
  service.add(ownTaskOperations, ownTaskHandlers(deps));
  service.add(runOperations, runHandlers({ ...deps, kind, runs }));
  service.add(resultOperations, resultHandlers(deps));
  const actionGuard = {
    calls: ctx.calls ?? createServiceCalls(),
    url: () => ctx.addressOf('action-guard'),
    tokenFor: (caller: Caller) => identity.tokenFor(caller),
  };
  service.add(defenceOperations, defenceHandlers({ ...deps, actionGuard }));
  service.add(reportOperations, reportHandlers({ db, clock, log, runs, reports }));
  const health = () => ({ status: 'ok' as const, version, environment: config.environment });
  service.add(healthOperations, { getHealth: health, getApiHealth: health });
  const proxy = new McpProxy(sessions, log, version);
  service.own({ [Symbol.asyncDispose]: () => proxy.close() });
  new ProxyRoutes({
    proxy,
    sessions,
    authenticate: service.authenticate,
    countTask: service.rateLimits.limit('red_team/tasks', {
      perMinute: () => config.rateLimit.requestsPerMinute,
      words: 'requests a minute of one task',
    }),
    isKeyRequired: config.auth.enabled,
  }).addTo(service.app);
  const manager = createPoolManager({ ...ctx, authenticate: service.authenticate }, pool);
  const opened = service.open([{ [Symbol.asyncDispose]: async () => manager.close() }]);
  return { ...opened, second: { name: 'red-team-pool', app: manager, portKey: 'redTeamPool' } };
}

function openPool(ctx: RedTeamContext, service: OpenService): Pool {
  const pool = service.own(new Pool(driverOf(ctx.config.redTeam)));
  pool
    .open(instanceCounts(ctx.config.redTeam.poolFile))
    .catch((err: unknown) => service.log.error({ err }, 'sandbox environments could not be started'));
  return pool;
}

function defineRuns(
  ctx: RedTeamContext,
  service: OpenService,
  execute: ReturnType<typeof createExecuteRun>,
): RunKind<object, null> {
  const { runs, config, clock } = ctx;
  return service.own(
    runs.define<object, null>(
      'red_team',
      {
        concurrency: config.redTeam.runsAtOnce,
        timeoutSeconds: longestSeconds,
        mostCrashes,
        atEnd: async (tx, work) => {
          const run = await findByWork(tx, work.id);
          if (run !== undefined)
            await endUnfinished(tx, run.runId, new Date(clock.now()), work.error?.message ?? null);
        },
      },
      execute,
    ),
  );
}
