/** Wiring of observability: query log, live stream, labels, governance. */
import type { Count } from '#alerts/counts.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import type { Operations } from '#base/contract/operation.ts';
import type { Handlers } from '#base/http/mount.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import { keyFile } from '#base/secrets/key-file.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { Presence } from '#identity/presence.ts';
import type { policyGuardSections } from '../config.ts';
import { governanceOperations, mostHours } from '../contract/governance.ts';
import { queryOperations } from '../contract/queries.ts';
import type { GuardMetrics } from '../guards/metrics.ts';
import type { JudgingEvents } from '../judging/events.ts';
import type { QueryLogEvents } from './queries/events.ts';
import { createRecord, type RecordQuery } from './record.ts';
import { deleteHoursBefore } from './governance/hours-store.ts';
import { governanceHandlers } from './governance/routes.ts';
import { createUsageCounts } from './governance/usage-counts.ts';
import { deleteVersionsBefore } from '../library/groups/history-retention.ts';
import type { JudgedGroup } from '../library/groups/judged-group.ts';
import type { PolicyGroups } from '../library/groups/policy-groups.ts';
import type { Guard } from '../guards/guard.ts';
import type { Guards } from '../guards/guards.ts';
import type { LiveGuards } from '../guards/live-guards.ts';
import { listGuardNames } from '../guards/store.ts';
import { Labels } from './queries/labels.ts';
import { LiveFeed } from './queries/live-feed.ts';
import { createReadNames } from './queries/names.ts';
import { QueryReader } from './queries/queries.ts';
import { QueryLog } from './queries/query-log.ts';
import { queryHandlers } from './queries/routes.ts';
import { firstIdAt } from './queries/query.ts';
import { deleteQueriesBefore, insertQueries } from './queries/store.ts';
import { createStages, type Stages } from '../judging/stages.ts';

const operations = {
  ...queryOperations,
  ...governanceOperations,
} satisfies Operations;

type Context = PlatformContext & {
  readonly config: ConfigOf<typeof policyGuardSections>;
  readonly identity: Pick<Identity, 'userNames' | 'audit'>;
  readonly alerts?: { readonly count: Count } | undefined;
};

interface WatchingDeps {
  readonly log: Logger;
  readonly presence: Presence;
  readonly metrics: Metrics | undefined;
  readonly events: QueryLogEvents & Pick<JudgingEvents, 'evaluated'>;
  readonly guardMetrics: GuardMetrics;
  readonly liveGuards: LiveGuards;
  readonly guards: Guards;
  readonly groups: PolicyGroups;
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
}

export interface Watching extends AsyncDisposable {
  readonly operations: typeof operations;
  readonly handlers: Handlers<typeof operations, Caller>;
  readonly gather: QueryLog['gather'];
  readonly record: RecordQuery;
  readonly labels: Labels;
  readonly queries: QueryReader;
  /** Writes to the log now what waits. */
  readonly flushLog: () => Promise<void>;
  readonly stages: Stages;
  /** Ends the streams, which would keep the server from closing. */
  endStreams(): void;
}

export async function createWatching(ctx: Context, deps: WatchingDeps): Promise<Watching> {
  const { config, db, jobs, clock } = ctx;
  const { log, presence, metrics, events, guards, liveGuards, groups, judgedGroups } = deps;
  const ownGuard = (caller: Caller, guardUuid: string) => guards.getOwn(caller, guardUuid);
  const stages = createStages(metrics, ctx.tracing);

  const { userNames } = ctx.identity;
  const guardNames = (guardUuids: Iterable<string>) => listGuardNames(db, guardUuids);
  const groupNames = (tenantId: string, groupUuids: Iterable<string>) => groups.names(tenantId, groupUuids);
  const names = createReadNames({ userNames, guardNames, groupNames });

  const queries = new QueryReader({ db, clock });
  const feed = new LiveFeed({ db, queries, presence, names, log });
  const queryLog = new QueryLog({
    insert: (entries) => insertQueries(db, entries),
    written: async (entries) => {
      for (const { tenantId, ownerId } of entries)
        ctx.changes?.note({ what: 'texts', tenantId, userId: ownerId });
      await feed.announce(entries);
    },
    hashKey: config.secretKey?.reveal() ?? (await keyFile(config.dataDir, 'query-log')),
    clock,
    log,
    events,
    stages,
    metrics: metrics?.writer('queries'),
  });
  await scheduleRetention({
    jobName: 'policy-guard-query-retention',
    days: config.policyGuard.queryRetentionDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteQueriesBefore(db, firstIdAt(moment.getTime()), limit),
  });
  await scheduleRetention({
    jobName: 'policy-guard-history-retention',
    days: config.policyGuard.historyRetentionDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteVersionsBefore(db, moment, limit),
  });
  const labels = new Labels({
    db,
    clock,
    audit: ctx.identity.audit,
    queries,
    findGuard: (tenantId, guardUuid) => liveGuards.find(tenantId, guardUuid),
    ownGuard,
    judgedGroups,
  });

  await scheduleRetention({
    jobName: 'policy-guard-hour-retention',
    days: mostHours / 24 + 1,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteHoursBefore(db, moment, limit),
  });
  const usage = createUsageCounts({ db, clock, log, changes: ctx.changes });
  const governance = governanceHandlers({
    db,
    clock,
    library: (caller) => groups.library(caller),
    guardNames,
    groupNames,
    flush: () => usage.flush(),
  });

  return {
    operations,
    handlers: {
      ...queryHandlers({ queries, queryLog, labels, feed, names }),
      ...governance,
    },
    gather: (tenantId) => queryLog.gather(tenantId),
    record: createRecord({ metrics: deps.guardMetrics, usage, queryLog, events, count: ctx.alerts?.count }),
    labels,
    queries,
    flushLog: () => queryLog.flush(),
    stages,
    endStreams: () => feed.close(),
    async [Symbol.asyncDispose]() {
      await queryLog[Symbol.asyncDispose]();
      await usage[Symbol.asyncDispose]();
      await feed[Symbol.asyncDispose]();
    },
  };
}
