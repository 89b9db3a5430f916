import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { RunStatus } from '#base/jobs/runs/run.ts';
import type { Caller } from '#identity/caller.ts';
import type { JobSummary } from './optimization-job.ts';
import type { Tier } from './optimise.ts';

interface EndedJob {
  readonly jobId: string;
  readonly groupUuid: string | null;
  readonly tier: Tier;
  readonly status: RunStatus;
}

/** Log lines and metrics of the optimisation lab, one function per event. */
export interface OptimizationEvents {
  /** A job has ended; `error` is why it has failed. */
  optimizationEnded(job: EndedJob, error?: unknown): void;
  /** What a job proposed is a version of its group now. */
  optimizationApplied(caller: Caller, job: JobSummary, facts: { version: number; policies: number }): void;
  /** The language model gave no other wordings of a policy. */
  wordingsNotAnswered(policy: string, code: string): void;
}

export function createOptimizationEvents(log: Logger, metrics: Metrics | undefined): OptimizationEvents {
  const optimizations = metrics?.counter({
    name: 'bulwark_policy_guard_optimizations_total',
    help: 'Jobs of the optimisation lab that have ended.',
    labelNames: ['tier', 'status'],
  });
  return {
    optimizationEnded({ jobId, groupUuid, tier, status }, error) {
      optimizations?.inc({ tier, status });
      const facts = { job_id: jobId, group_uuid: groupUuid, tier, status };
      if (status === 'failed') log.warn({ ...facts, err: error }, 'optimisation failed');
      else log.info(facts, 'optimisation ended');
    },
    optimizationApplied({ tenantId, userId }, { jobId, groupUuid }, { version, policies }) {
      log.info(
        { tenant_id: tenantId, user_id: userId, job_id: jobId, group_uuid: groupUuid, version, policies },
        'optimisation applied',
      );
    },
    wordingsNotAnswered(policy, code) {
      log.warn({ policy_id: policy, code }, 'no wordings from the language model');
    },
  };
}
