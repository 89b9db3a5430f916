/** Running one job: each policy in turn, watched for a cancellation and for too long a time. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import { longestMinutes } from '../../contract/optimization.ts';
import type { Bar } from '../../judging/verdicts/verdict.ts';
import type { OptimizationEvents } from './events.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import type { Policy } from '../../library/policies/policy-group.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import { cutOf, type Objective, objectiveAt } from './operating-point.ts';
import { type Lesson, optimise, type Optimised, type Run, type Wish } from './optimise.ts';
import { type JobWish, type LabelledPolicy, objectiveOf, type PolicyResult } from './optimization-job.ts';
import * as store from './store.ts';

export interface RunnerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: TextEngine;
  readonly groups: Pick<PolicyGroups, 'judgedGroups' | 'stored'>;
  readonly propose: Wish['propose'];
  readonly events: OptimizationEvents;
}

const watchEveryMs = 500;

/** What is wrong with a job, for whoever asked for it. */
class HopelessJob extends Error {}

export function createRunner(deps: RunnerDeps) {
  const { db, clock, engine, groups, propose, events } = deps;
  const end = (jobId: string, how: Omit<Parameters<typeof store.endJob>[2], 'now'>) =>
    store.endJob(db, jobId, { ...how, now: new Date(clock.now()) });

  const measureAll = async (
    job: NonNullable<Awaited<ReturnType<typeof store.beginJob>>>,
    { signal, onProgress }: Required<Run>,
  ): Promise<PolicyResult[]> => {
    const results: PolicyResult[] = [];
    for (const labelled of job.labelled) {
      const [[judged], stored] = await Promise.all([
        groups.judgedGroups(job.tenantId, [job.groupUuid]),
        groups.stored(job.tenantId, job.groupUuid),
      ]);
      const policy = stored?.policies.find(({ id }) => id === labelled.policyId);
      const done = results.length;
      const run = {
        signal,
        onProgress: (share: number) => onProgress?.((done + share) / job.labelled.length),
      };
      results.push(await measureOne(labelled, { policy, judged, wish: job.wish, run }));
    }
    return results;
  };

  const measureOne = async (
    labelled: LabelledPolicy,
    of: { policy: Policy | undefined; judged: JudgedGroup | undefined; wish: JobWish; run: Run },
  ): Promise<PolicyResult> => {
    const { policy, judged, wish, run } = of;
    const ready = judged?.policies.find(({ id }) => id === labelled.policyId);
    if (policy === undefined || judged === undefined || ready === undefined)
      throw new HopelessJob(`The policy "${labelled.name}" was removed or disabled meanwhile.`);
    const { threshold, strictnessLevel } = judged;
    const bar = { threshold, strictnessLevel };
    const { compiled: current, basis } = ready;
    const lesson: Lesson = {
      source: policy,
      current,
      untuned: basis?.untuned ?? current,
      tuning: basis?.tuning,
      bar,
      examples: labelled.examples,
    };
    const objective = objectiveOf(wish);
    const made = await optimise(
      engine,
      lesson,
      { tier: wish.tier, objective, ordinary: wish.everyday, propose },
      run,
    );
    const valueOf = valueFor(labelled, bar, objective);
    return {
      ...resultOf(made, policy, bar),
      improves: made.after !== null && valueOf(made.after) > valueOf(made.before),
      engineVersion: engine.version,
      exemplarsAt: made.wording === undefined ? (basis?.exemplarsAt ?? null) : null,
    };
  };

  return {
    /** @throws the signal's reason, for the job to be run again */
    async run(jobId: string, stopping: AbortSignal): Promise<void> {
      const job = await store.beginJob(db, jobId);
      if (job === undefined) return;
      const cancelled = new AbortController();
      const tooLong = AbortSignal.timeout(longestMinutes * 60_000);
      const signal = AbortSignal.any([stopping, cancelled.signal, tooLong]);
      const watch = setInterval(() => {
        store.isRunning(db, jobId).then(
          (goesOn) => goesOn || cancelled.abort(),
          // The database is asked again in a moment; the job itself notices when it has gone.
          () => {},
        );
      }, watchEveryMs);
      const onProgress = async (progress: number) => {
        if (!(await store.saveProgress(db, jobId, progress))) cancelled.abort();
      };
      try {
        const results = await measureAll(job, { signal, onProgress });
        if (await end(jobId, { status: 'done', results })) events.optimizationEnded(job, 'done');
      } catch (error) {
        if (cancelled.signal.aborted) return;
        if (stopping.aborted) throw error;
        const why = tooLong.aborted
          ? `It took longer than ${longestMinutes} minutes. Send fewer examples, or use a lower tier.`
          : error instanceof HopelessJob
            ? error.message
            : 'It failed for a reason that is in the log of the service.';
        if (await end(jobId, { status: 'failed', error: why }))
          events.optimizationEnded(job, 'failed', error);
      } finally {
        clearInterval(watch);
      }
    },
  };
}

const valueFor = ({ examples }: LabelledPolicy, bar: Bar, objective: Objective) => {
  const labels = examples.map(({ violates }) => (violates ? 1 : 0));
  return (logits: readonly number[]) => objectiveAt(logits, labels, cutOf(bar), objective);
};

const resultOf = (
  { before, after, ordinary, head, scale, shift, shiftsTuning, wording }: Optimised,
  policy: Policy,
  bar: Bar,
) => ({
  policy,
  bar,
  before: before.map(rounded),
  after: after && after.map(rounded),
  everydayFlagged: ordinary,
  head,
  scale,
  shift,
  shiftsTuning,
  wording: wording?.wording ?? null,
  rewords: wording?.what ?? [],
});

/** Four decimals of a logit are more than any threshold can tell apart. */
const rounded = (logit: number) => Math.round(logit * 1e4) / 1e4;
