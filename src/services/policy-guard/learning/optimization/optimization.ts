/** The optimisation lab, on behalf of a caller. */
import { conflict, invalid, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Queries } from '#base/db/database.ts';
import type { RunScope } from '#base/jobs/runs/run.ts';
import type { Clock } from '#base/clock.ts';
import type { Runs } from '#base/jobs/runs/runs.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Asking } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import { gatherExamples, type SentExample } from '../adaptations/examples.ts';
import { longestMinutes, mostJobs, mostJobsUnderWay } from '../../contract/optimization.ts';
import type { GroupContent, Policy, PolicyGroup } from '../../library/policies/policy-group.ts';
import { optimized } from '../../library/policies/policy-group.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import {
  isStillAs,
  type Job,
  type JobSummary,
  type JobOptions,
  type PolicyResult,
  summaryOf,
} from './optimization-job.ts';
import type { OptimizationEvents } from './events.ts';
import type { Tier } from './optimise.ts';
import { createMeasurer, type MeasurerDeps } from './run-job.ts';
import * as store from './store.ts';
import { insertTuning, type NewTuning } from '../../library/tunings/tuning-store.ts';

export interface OptimizationDeps extends MeasurerDeps {
  readonly runs: Runs;
  readonly clock: Clock;
  readonly metrics: Metrics | undefined;
  readonly events: OptimizationEvents;
  readonly groups: Pick<PolicyGroups, 'judgedGroups' | 'stored' | 'own' | 'change'>;
}

/** Every method throws AppError 404 for what is not the caller's. */
export class Optimization implements AsyncDisposable {
  readonly #deps: OptimizationDeps;
  readonly #kind;

  constructor(deps: OptimizationDeps) {
    this.#deps = deps;
    this.#kind = deps.runs.define<{ tier: Tier }, null>(
      'policy_guard_optimization',
      {
        timeoutSeconds: longestMinutes * 60,
        timeoutAdvice: 'Send fewer examples, or use a lower tier.',
        metrics: deps.metrics,
        onEnded: ({ id, subject, input, status }, error) =>
          deps.events.optimizationEnded({ jobId: id, groupUuid: subject, tier: input.tier, status }, error),
      },
      createMeasurer(deps),
    );
  }

  async get(caller: Caller, jobId: string): Promise<Job> {
    const job = isUuid(jobId) ? await store.findJob(this.#deps.db, jobId, scopeOf(caller)) : undefined;
    if (job === undefined) throw notFound('The optimisation job');
    return job;
  }

  /** @throws AppError 403 for a group of another, 409 for too many jobs, 422 for examples that say too little. */
  async create(
    caller: Caller,
    groupUuid: string,
    { examples, ...options }: JobOptions & { examples: readonly SentExample[] },
  ): Promise<string> {
    const { groups, clock, db } = this.#deps;
    const group = await groups.own(caller, groupUuid);
    refuseExtremes(group);
    const judged = await groups.judgedGroups(caller.tenantId, [group.groupUuid]);
    const labelled = gatherExamples(examples, [], judged, 'the policy group');
    const createdAt = new Date(clock.now());
    const jobId = newUuid(createdAt.getTime());
    const { groupUuid: uuid, version: groupVersion } = group;
    await db.transaction(async (tx) => {
      await store.insertJob(tx, { jobId, groupUuid: uuid, groupVersion, options, labelled, createdAt });
      const most = { underWay: mostJobsUnderWay, refuse: tooMany };
      await this.#kind.start(caller, { tier: options.tier }, { tx, id: jobId, subject: uuid, most });
      await this.#kind.delete(tx, { ids: await store.deleteOldJobs(tx, uuid, mostJobs) });
    });
    return jobId;
  }

  async list(caller: Caller, groupUuid: string, limit: number) {
    const { groups, db } = this.#deps;
    const group = await groups.own(caller, groupUuid);
    return store.listJobs(db, group.groupUuid, limit);
  }

  /** Changes of a job, until it ends. */
  watch = (caller: Caller, jobId: string, signal: AbortSignal) =>
    this.#kind.watch(jobId, scopeOf(caller), signal);

  /** @throws AppError 409 for a job that has ended. */
  async cancel(caller: Caller, jobId: string): Promise<JobSummary> {
    await this.get(caller, jobId);
    if ((await this.#kind.cancel(jobId, scopeOf(caller))) === undefined)
      throw conflict('The optimisation job has ended already.');
    return this.get(caller, jobId);
  }

  /** @throws AppError 409 where there is nothing to apply, or not any more. */
  async apply(asking: Asking, jobId: string, names: readonly string[] | undefined): Promise<PolicyGroup> {
    const { caller } = asking;
    const { clock, groups, events } = this.#deps;
    const job = await this.get(caller, jobId);
    const chosen = chosenOf(job, names);
    const now = new Date(clock.now());
    const made = chosen.map((result) => tuningOf(job, result, newUuid(now.getTime())));
    const { group } = await groups.change(
      asking,
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
  }

  /** The jobs of a group, to be called in the transaction that deletes it; what runs of them is broken off. */
  async removeJobs(tx: Queries, groupUuid: string): Promise<void> {
    await this.#kind.delete(tx, { subject: groupUuid });
  }

  /** Running jobs are returned to the queue. */
  [Symbol.asyncDispose]() {
    return this.#kind[Symbol.asyncDispose]();
  }
}

const tooMany = () =>
  conflict(
    `You have ${mostJobsUnderWay} optimisation jobs under way, the most you can. Wait for one, or cancel one with POST /api/optimization_jobs/{job_id}/cancel.`,
  );

/** A job is its maker's, and the administrators'. */
function scopeOf(caller: Caller): RunScope {
  const { tenantId, userId, isAdmin } = viewerOf(caller);
  return { tenantId, userId: isAdmin ? undefined : userId };
}

/** @throws AppError 422 if the threshold flags everything or nothing, for any probability. */
function refuseExtremes({ threshold }: PolicyGroup): void {
  if (threshold <= leastThreshold || threshold >= 1 - leastThreshold)
    throw invalid(
      `The policy group flags from a probability of ${threshold} on, which nothing can be tuned to. Set its 'threshold' between ${leastThreshold} and ${1 - leastThreshold}.`,
    );
}

const leastThreshold = 0.005;

function chosenOf({ status, results }: Job, names: readonly string[] | undefined): readonly PolicyResult[] {
  if (status !== 'completed' || results === null)
    throw conflict(`The optimisation job is ${status}: only one that is completed can be applied.`);
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

/** @throws AppError 409 where the policy or the sensitivity is no longer what was measured. */
function becomes(before: GroupContent, result: PolicyResult, tuningId: string | undefined): Policy {
  const { policy, wording } = result;
  const now = before.policies.find(({ id }) => id === policy.id);
  if (!isStillAs(result, now, before))
    throw conflict(
      `The policy "${policy.name}", or the threshold or strictness of its group, has changed since the job measured it. Run the lab again.`,
    );
  return { ...policy, ...wording, tuningId };
}

function tuningOf({ labelled, options }: Job, result: PolicyResult, tuningId: string): NewTuning {
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
    everyday: options.everyday,
  };
}
