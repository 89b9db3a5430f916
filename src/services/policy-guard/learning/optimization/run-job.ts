/** Executing one job: each policy in turn. */
import type { Database } from '#base/db/database.ts';
import type { Outcome, Run } from '#base/jobs/runs/run.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import type { Policy } from '../../library/policies/policy-group.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import { isProposed } from './is-proposed.ts';
import {
  type Lesson,
  optimise,
  type Optimised,
  type Run as Optimising,
  type OptimiseOptions,
} from './optimise.ts';
import {
  type Job,
  type JobOptions,
  type LabelledPolicy,
  objectiveOf,
  type PolicyResult,
} from './optimization-job.ts';
import * as store from './store.ts';

export interface MeasurerDeps {
  readonly db: Database;
  readonly engine: TextEngine;
  readonly groups: Pick<PolicyGroups, 'judgedGroups' | 'stored'>;
  readonly propose: OptimiseOptions['propose'];
}

/** A permanent error of a job, reported to its owner. */
class PermanentJobError extends Error {}

/** Finds out what would judge the examples of a job better, policy after policy. */
export function createMeasurer(deps: MeasurerDeps) {
  const { db, engine, groups, propose } = deps;

  const measureAll = async (
    job: Job,
    { tenantId, signal, progress }: Run<object, never>,
  ): Promise<PolicyResult[]> => {
    const results: PolicyResult[] = [];
    for (const labelled of job.labelled) {
      const [[judged], stored] = await Promise.all([
        groups.judgedGroups(tenantId, [job.groupUuid]),
        groups.stored(tenantId, job.groupUuid),
      ]);
      const policy = stored?.policies.find(({ id }) => id === labelled.policyId);
      const done = results.length;
      const run = {
        signal,
        onProgress: (share: number) =>
          progress({ done: (done + share) / job.labelled.length, total: 1, step: labelled.name }),
      };
      results.push(await measureOne(labelled, { policy, judged, options: job.options, run }));
    }
    return results;
  };

  const measureOne = async (
    labelled: LabelledPolicy,
    of: { policy: Policy | undefined; judged: JudgedGroup | undefined; options: JobOptions; run: Optimising },
  ): Promise<PolicyResult> => {
    const { policy, judged, options, run } = of;
    const ready = judged?.policies.find(({ id }) => id === labelled.policyId);
    if (policy === undefined || judged === undefined || ready === undefined)
      throw new PermanentJobError(`The policy "${labelled.name}" was removed or disabled meanwhile.`);
    const { threshold, strictnessLevel } = judged;
    const sensitivity = { threshold, strictnessLevel };
    const { compiled: current, basis } = ready;
    const lesson: Lesson = {
      source: policy,
      current,
      untuned: basis?.untuned ?? current,
      tuning: basis?.tuning,
      sensitivity,
      examples: labelled.examples,
    };
    const objective = objectiveOf(options);
    const made = await optimise(
      engine,
      lesson,
      { tier: options.tier, objective, ordinary: options.everyday, propose },
      run,
    );
    return {
      ...resultOf(made, policy, sensitivity),
      improves: isProposed(made, labelled.examples, sensitivity, objective),
      engineVersion: engine.version,
      exemplarsAt: made.wording === undefined ? (basis?.exemplarsAt ?? null) : null,
    };
  };

  return async (run: Run<object, never>): Promise<Outcome<null>> => {
    const job = await store.findJob(db, run.id);
    if (job === undefined) return { failed: 'Its policy group was deleted.' };
    try {
      const results = await measureAll(job, run);
      return { completed: null, write: (tx) => store.saveResults(tx, run.id, results) };
    } catch (error) {
      if (error instanceof PermanentJobError) return { failed: error.message };
      throw error;
    }
  };
}

const resultOf = (
  { before, after, afterOrder, ordinary, head, scale, shift, shiftsTuning, wording }: Optimised,
  policy: Policy,
  sensitivity: Sensitivity,
) => ({
  policy,
  sensitivity,
  before: before.map(rounded),
  after: after && after.map(rounded),
  afterOrder,
  everydayFlagged: ordinary,
  head,
  scale,
  shift,
  shiftsTuning,
  wording: wording?.wording ?? null,
  rewords: wording?.what ?? [],
});

/** Four decimals of a logit are finer than any threshold. */
const rounded = (logit: number) => Math.round(logit * 1e4) / 1e4;
