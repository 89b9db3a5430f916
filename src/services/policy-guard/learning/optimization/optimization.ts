/** The optimisation lab, on behalf of a caller. */
import { conflict, invalid, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Caller } from '#identity/caller.ts';
import { gatherExamples, type SentExample } from '../adaptations/examples.ts';
import { mostJobs, mostJobsUnderWay } from '../../contract/optimization.ts';
import type { GroupContent, Policy, PolicyGroup } from '../../library/policies/policy-group.ts';
import { optimized } from '../../library/policies/policy-group.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import {
  isStillAs,
  type Job,
  type JobSummary,
  type JobWish,
  type PolicyResult,
  summaryOf,
} from './optimization-job.ts';
import { createRunner, type RunnerDeps } from './run-job.ts';
import * as store from './store.ts';
import { insertTuning, type NewTuning } from '../../library/tunings/tuning-store.ts';

export interface OptimizationDeps extends RunnerDeps {
  readonly jobs: Jobs;
  readonly groups: Pick<PolicyGroups, 'judgedGroups' | 'stored' | 'own' | 'change'>;
}

const jobName = 'policy_guard_optimization';
/** Longer than a job gives itself. */
const timeoutSeconds = 900;
/** Only a process that stops gives a job back. */
const retries = 5;
const retryDelaySeconds = 1;

export type Optimization = Awaited<ReturnType<typeof createOptimization>>;

/** Every method throws AppError 404 for what is not the caller's. */
export async function createOptimization(deps: OptimizationDeps) {
  const { db, clock, jobs, groups, events } = deps;
  const runner = createRunner(deps);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  await jobs.define<{ jobId: string }>(
    jobName,
    { timeoutSeconds, retries, retryDelaySeconds },
    async ({ data, signal }) => {
      const run = runner.run(data.jobId, AbortSignal.any([signal, closing.signal]));
      running.add(run);
      await run.finally(() => running.delete(run));
    },
  );

  const get = async (caller: Caller, jobId: string): Promise<Job> => {
    const job = isUuid(jobId) ? await store.findJob(db, caller, jobId) : undefined;
    if (job === undefined) throw notFound('The optimisation job');
    return job;
  };

  return {
    get,

    /** @throws AppError 403 for a group of another, 409 for too many jobs, 422 for examples that say too little. */
    async create(
      caller: Caller,
      groupUuid: string,
      { examples, ...wish }: JobWish & { examples: readonly SentExample[] },
    ): Promise<string> {
      const group = await groups.own(caller, groupUuid);
      refuseExtremes(group);
      const judged = await groups.judgedGroups(caller.tenantId, [group.groupUuid]);
      const labelled = gatherExamples(examples, [], judged, 'the policy group');
      const createdAt = new Date(clock.now());
      const jobId = newUuid(createdAt.getTime());
      const { groupUuid: uuid, version: groupVersion } = group;
      await db.transaction(async (tx) => {
        const job = { jobId, groupUuid: uuid, groupVersion, wish, labelled, createdAt };
        if (!(await store.insertJob(tx, caller, job, mostJobsUnderWay)))
          throw conflict(
            `You have ${mostJobsUnderWay} optimisation jobs under way, the most you can. Wait for one, or cancel one with POST /api/optimization_jobs/{job_id}/cancel.`,
          );
        await store.deleteOldJobs(tx, uuid, mostJobs);
        await jobs.send(jobName, { jobId }, { tx });
      });
      return jobId;
    },

    async list(caller: Caller, groupUuid: string, limit: number) {
      const group = await groups.own(caller, groupUuid);
      return store.listJobs(db, group.groupUuid, limit);
    },

    /** @throws AppError 409 for a job that has ended. */
    async cancel(caller: Caller, jobId: string): Promise<JobSummary> {
      const job = await get(caller, jobId);
      if (!(await store.endJob(db, jobId, { status: 'cancelled', now: new Date(clock.now()) })))
        throw conflict('The optimisation job has ended already.');
      events.optimizationEnded(job, 'cancelled');
      return get(caller, jobId);
    },

    /** @throws AppError 409 where there is nothing to apply, or not any more. */
    async apply(caller: Caller, jobId: string, names: readonly string[] | undefined): Promise<PolicyGroup> {
      const job = await get(caller, jobId);
      const chosen = chosenOf(job, names);
      const now = new Date(clock.now());
      const made = chosen.map((result) => tuningOf(job, result, newUuid(now.getTime())));
      const { group } = await groups.change(
        caller,
        job.groupUuid,
        (before) =>
          optimized(
            before,
            chosen.map((result, i) => becomes(before, result, made[i]?.tuningId)),
            summaryOf(job, chosen),
          ),
        async (tx, { version }) => {
          for (const tuning of made) await insertTuning(tx, job.groupUuid, tuning, now);
          await store.saveApplied(tx, jobId, version);
        },
      );
      events.optimizationApplied(caller, job, { version: group.version, policies: chosen.length });
      return group;
    },

    /** Jobs that run are given back to the queue. */
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

/** @throws AppError 422 where the threshold flags all or nothing, whatever a policy says. */
function refuseExtremes({ threshold }: PolicyGroup): void {
  if (threshold <= leastThreshold || threshold >= 1 - leastThreshold)
    throw invalid(
      `The policy group flags from a probability of ${threshold} on, which nothing can be tuned to. Set its 'threshold' between ${leastThreshold} and ${1 - leastThreshold}.`,
    );
}

const leastThreshold = 0.005;

function chosenOf({ status, results }: Job, names: readonly string[] | undefined): readonly PolicyResult[] {
  if (status !== 'done' || results === null)
    throw conflict(`The optimisation job is ${status}: only one that is done can be applied.`);
  if (names === undefined) {
    const improving = results.filter(({ improves }) => improves);
    if (improving.length > 0) return improving;
    throw conflict(
      "No policy of the job improves. Name those that are to be changed all the same in 'policies'.",
    );
  }
  return [...new Set(names)].map((name) => {
    const found = results.find(({ policy }) => policy.name === name);
    if (found === undefined)
      throw invalid(`'policies' names the policy ${JSON.stringify(name)}, which the job has not measured.`);
    return found;
  });
}

/** @throws AppError 409 where the policy or the bar is no longer what was measured. */
function becomes(before: GroupContent, result: PolicyResult, tuningId: string | undefined): Policy {
  const { policy, wording } = result;
  const now = before.policies.find(({ id }) => id === policy.id);
  if (!isStillAs(result, now, before))
    throw conflict(
      `The policy "${policy.name}", or the threshold or strictness of its group, has changed since the job measured it. Run the lab again.`,
    );
  return { ...policy, ...wording, tuningId };
}

function tuningOf({ labelled, wish }: Job, result: PolicyResult, tuningId: string): NewTuning {
  const { policy, head, scale, shift, shiftsTuning, engineVersion, exemplarsAt } = result;
  const examples = labelled.find(({ policyId }) => policyId === policy.id)?.examples ?? [];
  const shifts = shiftsTuning ? (policy.tuningId ?? null) : null;
  return {
    tuningId,
    head,
    scale,
    shift,
    shifts,
    engineVersion,
    exemplarsAt,
    examples,
    everyday: wish.everyday,
  };
}
