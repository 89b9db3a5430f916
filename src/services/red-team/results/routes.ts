import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { changeableOrRefused, readableOr404, viewerOf } from '#identity/sharing.ts';
import { canariesOf } from './canaries.ts';
import type { resultOperations } from '../contract/results.ts';
import { findResult, listResults, setIncluded, type StoredResult } from './store.ts';

type Operations = typeof resultOperations;
type View = z.input<Operations['changeResult']['response']>;

const timeOf = (at: Date | null) => at && toIsoTime(at);

// The values were checked by the contract when they were stored.
const viewOf = (result: StoredResult): View =>
  ({
    result_id: result.resultId,
    run_id: result.runId,
    evaluation_id: result.evaluationId,
    task_id: result.taskId,
    title: result.title,
    domain: result.domain,
    environments: result.environments,
    threat_model: result.threatModel,
    task_type: result.taskType,
    risk_category: result.riskCategory,
    sub_category: result.subCategory,
    vector: result.vector,
    template: result.template,
    session_id: result.sessionId,
    status: result.status,
    attack_success: result.attackSuccess,
    task_success: result.taskSuccess,
    delivered: result.delivered,
    outcome: result.outcome,
    included_report: result.includedReport,
    error: result.error,
    started_at: timeOf(result.startedAt),
    finished_at: timeOf(result.finishedAt),
  }) as View;

export function resultHandlers({ db }: { db: Database }): Handlers<Operations, Caller> {
  const get = async (caller: Caller, resultId: string) => {
    const viewer = viewerOf(caller);
    return readableOr404(viewer, await findResult(db, viewer, resultId), 'The result');
  };
  return {
    listResults: async ({ caller, query }) => {
      const { results, total } = await listResults(db, viewerOf(caller), query);
      return { results: results.map(viewOf), total };
    },
    getResult: async ({ caller, params }) => {
      const result = await get(caller, params.result_id);
      const { trajectory, judge, response, policy, attack, lineage } = result;
      return {
        ...viewOf(result),
        trajectory,
        judge,
        agent_responses: response === null ? [] : [response],
        policy,
        lineage: (lineage ?? []) as never,
        canaries: attack === null ? [] : canariesOf(attack),
      };
    },
    getTrajectory: async ({ caller, params }) => {
      const { trajectory, status } = await get(caller, params.result_id);
      if (trajectory === null) throw notFound(`The trajectory of this result, whose task is ${status},`);
      return trajectory;
    },
    changeResult: async ({ caller, params, body }) => {
      const viewer = viewerOf(caller);
      changeableOrRefused(viewer, await findResult(db, viewer, params.result_id), 'The result');
      await setIncluded(db, params.result_id, body.included_report);
      return viewOf(await get(caller, params.result_id));
    },
  };
}
