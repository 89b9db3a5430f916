import { toIsoTime } from '#base/clock.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { AllowedEntry } from './allow-list/store.ts';
import type { Verdict } from './evaluate/verdict.ts';
import type { JobSummary } from './optimization/optimization-job.ts';
import type { EngineChoice, FailMode } from './judge/engines.ts';
import type { Exemplars, Side } from './exemplars/exemplar.ts';

/** What happens here that an operator wants to see, a function each. */
export interface PolicyGuardEvents {
  /** A text was judged by a guard; logged, without the text, where the guard says so. */
  evaluated(verdict: Verdict, facts: { fromCache: boolean; characters: number }): void;
  /** Entries of the query log that could not be written. */
  queriesLost(entries: number): void;
  /** Somebody changed which texts a guard lets pass. */
  allowListChanged(
    event: 'allow_list_entry_added' | 'allow_list_entry_deleted',
    facts: { caller: Caller; request: RequestFacts; guardUuid: string; entry: AllowedEntry },
  ): Promise<void>;
  /** A judge other than the embedded engine gave no answer about a policy. */
  judgeFailed(engine: EngineChoice, code: string, failMode: FailMode): void;
  cacheCleared(caller: Caller, entries: number): void;
  /** A guard judges by another adaptation now, or by none. */
  adaptationActivated(caller: Caller, guardUuid: string, adaptationId: string | null): void;
  /** An optimisation job has ended; `error` is why it has failed. */
  optimizationEnded(job: JobSummary, status: 'done' | 'failed' | 'cancelled', error?: unknown): void;
  /** What a job proposed is a version of its group now. */
  optimizationApplied(caller: Caller, job: JobSummary, facts: { version: number; policies: number }): void;
  /** The language model gave no other wordings of a policy. */
  wordingsNotAnswered(policy: string, code: string): void;
  /** The language model gave no examples of a policy; `again` where it is asked once more later. */
  exemplarsNotAnswered(of: ExemplarsOf, facts: { side: Side; code: string; again: boolean }): void;
  /** A PDF was read into an unsaved group. */
  policiesExtracted(facts: { pages: number; policies: number; engine: string }): void;
  /** A policy has learned from examples that the language model wrote, or there were too few of them. */
  exemplarsDone(of: ExemplarsOf, status: 'ready' | 'failed', exemplars: Exemplars): void;
}

interface ExemplarsOf {
  readonly tenantId: string;
  readonly groupUuid: string;
  readonly policyId: string;
  readonly model: string;
}

const ofPolicy = ({ tenantId, groupUuid, policyId, model }: ExemplarsOf) => ({
  tenant_id: tenantId,
  group_uuid: groupUuid,
  policy_id: policyId,
  model,
});

const warnEveryMs = 10_000;

export function createEvents(
  log: Logger,
  metrics: Metrics | undefined,
  audit: Identity['audit'],
): PolicyGuardEvents {
  const verdicts = metrics?.counter({
    name: 'bulwark_policy_guard_verdicts_total',
    help: 'Texts judged by guards.',
    labelNames: ['flagged', 'outcome', 'cached'],
  });
  const lost = metrics?.counter({
    name: 'bulwark_policy_guard_queries_lost_total',
    help: 'Entries of the query log that could not be written.',
    labelNames: [],
  });
  const exemplars = metrics?.counter({
    name: 'bulwark_policy_guard_exemplars_total',
    help: 'Policies whose exemplars were written by the language model, or were not.',
    labelNames: ['status'],
  });
  const optimizations = metrics?.counter({
    name: 'bulwark_policy_guard_optimizations_total',
    help: 'Jobs of the optimisation lab that have ended.',
    labelNames: ['tier', 'status'],
  });
  const judgements = metrics?.counter({
    name: 'bulwark_policy_guard_judgements_total',
    help: 'Policies judged, by who decided.',
    labelNames: ['engine'],
  });
  const failures = metrics?.counter({
    name: 'bulwark_policy_guard_judge_failures_total',
    help: 'Policies whose judge did not answer: the fail mode decided.',
    labelNames: ['engine', 'code', 'fail_mode'],
  });
  let lastWarnedAt = -Infinity;
  const extractions = metrics?.counter({
    name: 'bulwark_policy_guard_extractions_total',
    help: 'PDFs read into policy groups, by the engine that read them.',
    labelNames: ['engine'],
  });
  return {
    judgeFailed(engine, code, failMode) {
      failures?.inc({ engine, code, fail_mode: failMode });
      // A line for each text would drown what else is logged while a model is down.
      if (performance.now() - lastWarnedAt < warnEveryMs) return;
      lastWarnedAt = performance.now();
      log.warn({ engine, code, fail_mode: failMode }, 'a judge does not answer: its fail mode decides');
    },
    evaluated({ guard, flagged, outcome, found, latencyMs }, { fromCache, characters }) {
      verdicts?.inc({ flagged: String(flagged), outcome, cached: String(fromCache) });
      if (!fromCache)
        for (const { engine } of found.flatMap(({ policies }) => policies)) judgements?.inc({ engine });
      if (guard.settings.logRequests !== true) return;
      const violated = found.flatMap(({ policies }) =>
        policies.filter((policy) => policy.violated).map(({ name }) => name),
      );
      log.info(
        {
          guard_uuid: guard.guardUuid,
          tenant_id: guard.tenantId,
          flagged,
          observed_flag: violated.length > 0,
          violated,
          characters,
          from_cache: fromCache,
          latency_ms: latencyMs,
        },
        'text judged',
      );
    },
    queriesLost(entries) {
      lost?.inc(entries);
    },
    allowListChanged: (event, { caller, request, guardUuid, entry }) =>
      audit({
        event,
        caller,
        request,
        details: {
          guard_uuid: guardUuid,
          entry_id: entry.entryId,
          kind: entry.kind,
          content: entry.content.slice(0, 200),
          reason: entry.reason,
          expires_at: entry.expiresAt && toIsoTime(entry.expiresAt),
        },
      }),
    cacheCleared({ tenantId, userId }, entries) {
      log.info({ tenant_id: tenantId, user_id: userId, entries }, 'verdict cache cleared');
    },
    adaptationActivated({ tenantId, userId }, guardUuid, adaptationId) {
      log.info(
        { tenant_id: tenantId, user_id: userId, guard_uuid: guardUuid, adaptation_id: adaptationId },
        'guard adapted',
      );
    },
    optimizationEnded({ jobId, groupUuid, wish }, status, error) {
      optimizations?.inc({ tier: wish.tier, status });
      const facts = { job_id: jobId, group_uuid: groupUuid, tier: wish.tier, status };
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
    policiesExtracted({ pages, policies, engine }) {
      extractions?.inc({ engine });
      log.info({ pages, policies, engine }, 'policies extracted from a PDF');
    },
    exemplarsNotAnswered(of, { side, code, again }) {
      log.warn({ ...ofPolicy(of), side, code, again }, 'no exemplars from the language model');
    },
    exemplarsDone(of, status, { block, safe }) {
      exemplars?.inc({ status });
      const facts = { ...ofPolicy(of), status, block: block.length, safe: safe.length };
      if (status === 'ready') log.info(facts, 'policy learned from exemplars');
      else log.warn(facts, 'too few exemplars of a policy: it goes on by its text alone');
    },
  };
}
