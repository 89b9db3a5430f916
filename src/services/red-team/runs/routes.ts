import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { followed } from '#base/events/followed.ts';
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
    id: run.runId,
    kind: 'red_team' as const,
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
    progress: progressOf(counts.get(run.runId) as store.Counts),
    created_at: toIsoTime(run.createdAt),
    started_at: run.startedAt && toIsoTime(run.startedAt),
    finished_at: run.finishedAt && toIsoTime(run.finishedAt),
    error: run.error,
    owner_id: run.ownerId,
    owner_name: nameOf(run.ownerId),
  }));
}

/** Tasks that have a verdict or ended with an error. */
const progressOf = ({ total, passed, failed, error }: store.Counts) => ({
  done: passed + failed + error,
  total,
  step: null,
});

export function runHandlers(deps: RunRoutesDeps): Handlers<typeof runOperations, Caller> {
  const { db, log, kind, runs } = deps;
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
    watchRun: async ({ caller, params: { run_id: runId } }) => {
      await runs.get(caller, runId);
      return followed(log, 'a run', async (events, gone) => {
        const send = async () => events.merge('progress', await statusOf(caller, runId));
        const { workId, tenantId } = await runs.get(caller, runId);
        // A run that is not started yet has one event.
        if (workId === null) await send();
        else for await (const _change of kind.watch(workId, { tenantId }, gone)) await send();
      });
    },
    getRunStats: async ({ caller, params }) => {
      const { runId } = await runs.get(caller, params.run_id);
      return statsOf(db, runId);
    },
    deleteRuns: async ({ caller, body, request }) => {
      const { deleted, notFound } = await runs.deleteAll({ caller, request }, body.run_ids);
      return { deleted, not_found: notFound };
    },
  };
}
