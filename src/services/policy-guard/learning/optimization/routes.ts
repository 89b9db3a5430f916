import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { optimizationOperations } from '../../contract/optimization.ts';
import type { PolicyGroup } from '../../library/policies/policy-group.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { Optimization } from './optimization.ts';
import { jobToWire, newJobFromWire, summaryToWire } from './view.ts';

type Operations = typeof optimizationOperations;

/** @param viewed a group as it is answered everywhere */
export const optimizationHandlers = (
  optimization: Optimization,
  viewed: (group: PolicyGroup) => Promise<Answer<Operations['applyOptimizationJob']>>,
): Handlers<Operations, Caller> => ({
  optimizePolicyGroup: async ({ caller, params, body }) => ({
    job_id: await optimization.create(caller, params.group_uuid, newJobFromWire(body)),
    status: 'queued' as const,
  }),
  async listOptimizationJobs({ caller, params, query }) {
    const { jobs, total } = await optimization.list(caller, params.group_uuid, query.limit);
    return { jobs: jobs.map(summaryToWire), total };
  },
  getOptimizationJob: async ({ caller, params }) => jobToWire(await optimization.get(caller, params.job_id)),
  cancelOptimizationJob: async ({ caller, params }) =>
    summaryToWire(await optimization.cancel(caller, params.job_id)),
  applyOptimizationJob: async ({ caller, params, body }) =>
    viewed(await optimization.apply(caller, params.job_id, body.policies)),
});
