import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { RunRecord } from '../contract/run-record.ts';
import type { runOperations } from '../contract/runs.ts';
import { viewerOf } from '#identity/sharing.ts';
import { compareRuns } from './compare.ts';
import type { RedTeamRuns } from './runs.ts';
import { statsOf } from './stats.ts';
import * as store from './store.ts';

export interface RunRoutesDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly identity: Identity;
  readonly kind: RunKind<object, null>;
  readonly runs: RedTeamRuns;
}

/** Runs as answers show them. */
export async function viewsOf(
  { db, identity }: Pick<RunRoutesDeps, 'db' | 'identity'>,
  runs: readonly store.StoredRun[],
): Promise<z.input<typeof RunRecord>[]> {
  const [nameOf, counts] = await Promise.all([
    identity.userNames(runs.map(({ ownerId }) => ownerId)),
    store.countTasks(
      db,
      runs.map(({ runId }) => runId),
    ),
  ]);
  return runs.map((run) => ({
    run_id: run.runId,
    evaluation_id: run.evaluationId,
    evaluation_name: run.evaluationName,
    status: run.status,
    config: {
      agent_endpoint: run.config.agentEndpoint,
      protocol: run.config.protocol,
      concurrency: run.config.concurrency,
      agent_timeout_seconds: run.config.agentTimeoutSeconds,
      proxy_mcp_url: run.config.proxyMcpUrl,
      adaptive_budget: run.config.adaptiveBudget ?? 0,
      gateway_id: run.config.gateway?.id ?? null,
      gateway_name: run.config.gateway?.name ?? null,
    },
    counts: counts.get(run.runId) as store.Counts,
    created_at: toIsoTime(run.createdAt),
    started_at: run.startedAt && toIsoTime(run.startedAt),
    finished_at: run.finishedAt && toIsoTime(run.finishedAt),
    error: run.error,
    owner_id: run.ownerId,
    owner_name: nameOf(run.ownerId),
  }));
}

export function runHandlers(deps: RunRoutesDeps): Handlers<typeof runOperations, Caller> {
  const { db, runs } = deps;
  const view = async (run: store.StoredRun) => (await viewsOf(deps, [run]))[0] as z.input<typeof RunRecord>;
  const statusOf = async (caller: Caller, runId: string) => {
    const { status } = await runs.get(caller, runId);
    const counts = (await store.countTasks(db, [runId])).get(runId) as store.Counts;
    return { run_id: runId, status, ...counts };
  };
  return {
    createRun: async ({ caller, body }) =>
      view(
        await runs.create(caller, body.evaluation_id, {
          concurrency: body.concurrency,
          gatewayId: body.gateway_id,
          adaptiveBudget: body.adaptive_budget,
        }),
      ),
    startRun: async ({ caller, params }) => view(await runs.start(caller, params.run_id)),
    cancelRun: async ({ caller, params }) => view(await runs.cancel(caller, params.run_id)),
    listRuns: async ({ caller, query }) => {
      const { runs: found, total } = await store.listAllRuns(db, viewerOf(caller), {
        ...query,
        status: query.status,
        since: query.since,
      });
      return { runs: await viewsOf(deps, found), total };
    },
    compareRuns: async ({ caller, params }) => {
      const before = await runs.get(caller, params.run_id);
      const after = await runs.get(caller, params.other_run_id);
      const { rates, ...compared } = await compareRuns(db, before.runId, after.runId);
      return {
        before: { run: await view(before), rates: rates.before },
        after: { run: await view(after), rates: rates.after },
        ...compared,
      };
    },
    getRun: async ({ caller, params }) => view(await runs.get(caller, params.run_id)),
    getRunStatus: ({ caller, params }) => statusOf(caller, params.run_id),
    watchRun: async ({ caller, params }) => {
      await runs.get(caller, params.run_id);
      return watch(deps, caller, params.run_id, () => statusOf(caller, params.run_id));
    },
    getRunStats: async ({ caller, params }) => {
      const { runId } = await runs.get(caller, params.run_id);
      return statsOf(db, runId);
    },
    deleteRuns: async ({ caller, body }) => {
      const { deleted, notFound } = await runs.deleteAll(caller, body.run_ids);
      return { deleted, not_found: notFound };
    },
  };
}

/** A reader connects again after this, so that access that has ended is noticed. */
const lifeMs = 15 * 60_000;

/** Status and counts now and with each change; ends with the run. A run that is not started yet has one event. */
function watch(
  { kind, log, runs }: RunRoutesDeps,
  caller: Caller,
  runId: string,
  status: () => Promise<object>,
): EventStream {
  const events = new EventStream({ lifeMs });
  const gone = new AbortController();
  events.once('close', () => gone.abort());
  const follow = async () => {
    const { workId, tenantId } = await runs.get(caller, runId);
    if (workId === null) events.merge('progress', await status());
    else
      for await (const _change of kind.watch(workId, { tenantId }, gone.signal))
        events.merge('progress', await status());
  };
  void follow()
    .catch((err: unknown) => {
      if (!gone.signal.aborted) log.warn({ err }, 'the progress of a run could not be followed');
    })
    .finally(() => events.finish());
  return events;
}
