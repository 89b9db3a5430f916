import { watchedRun } from '#base/events/watched-run.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { optimizationOperations } from '../../contract/optimization.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import type { PolicyGroup } from '../../library/policies/policy-group.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { Optimization } from './optimization.ts';
import { jobToWire, newJobFromWire, summaryToWire } from './view.ts';

type Operations = typeof optimizationOperations;

/** @param viewed a group as all routes return it */
export function optimizationHandlers(
  optimization: Optimization,
  groupNames: PolicyGroups['names'],
  viewed: (group: PolicyGroup) => Promise<Answer<Operations['applyOptimizationJob']>>,
): Handlers<Operations, Caller> {
  const nameOf = async ({ tenantId }: Caller, groupUuid: string) =>
    (await groupNames(tenantId, [groupUuid])).get(groupUuid) ?? null;
  return {
    optimizePolicyGroup: async ({ caller, params, body }) => ({
      job_id: await optimization.create(caller, params.group_uuid, newJobFromWire(body)),
      status: 'queued' as const,
    }),
    async listOptimizationJobs({ caller, params, query }) {
      const { jobs, total } = await optimization.list(caller, params.group_uuid, query.limit);
      const names = await groupNames(
        caller.tenantId,
        jobs.map(({ groupUuid }) => groupUuid),
      );
      return { jobs: jobs.map((job) => summaryToWire(job, names.get(job.groupUuid) ?? null)), total };
    },
    async getOptimizationJob({ caller, params }) {
      const job = await optimization.get(caller, params.job_id);
      return jobToWire(job, await nameOf(caller, job.groupUuid));
    },
    async watchOptimizationJob({ caller, params }) {
      const state = async () => {
        const job = await optimization.get(caller, params.job_id);
        return summaryToWire(job, await nameOf(caller, job.groupUuid));
      };
      // Before the stream begins: what is not the caller's is not found.
      await state();
      return watchedRun((signal) => optimization.watch(caller, params.job_id, signal), state);
    },
    async cancelOptimizationJob({ caller, params }) {
      const job = await optimization.cancel(caller, params.job_id);
      return summaryToWire(job, await nameOf(caller, job.groupUuid));
    },
    applyOptimizationJob: async ({ caller, params, body, request }) =>
      viewed(await optimization.apply({ caller, request }, params.job_id, body.policies)),
  };
}
