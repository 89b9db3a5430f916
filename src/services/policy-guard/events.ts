import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import type { Verdict } from './evaluate/verdict.ts';
import type { Exemplars, Side } from './exemplars/exemplar.ts';

/** What happens here that an operator wants to see, a function each. */
export interface PolicyGuardEvents {
  /** A text was judged by a guard; logged, without the text, where the guard says so. */
  evaluated(verdict: Verdict, facts: { fromCache: boolean; characters: number }): void;
  cacheCleared(caller: Caller, entries: number): void;
  /** A guard judges by another adaptation now, or by none. */
  adaptationActivated(caller: Caller, guardUuid: string, adaptationId: string | null): void;
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

export function createEvents(log: Logger, metrics: Metrics | undefined): PolicyGuardEvents {
  const verdicts = metrics?.counter({
    name: 'bulwark_policy_guard_verdicts_total',
    help: 'Texts judged by guards.',
    labelNames: ['flagged', 'cached'],
  });
  const exemplars = metrics?.counter({
    name: 'bulwark_policy_guard_exemplars_total',
    help: 'Policies whose exemplars were written by the language model, or were not.',
    labelNames: ['status'],
  });
  const extractions = metrics?.counter({
    name: 'bulwark_policy_guard_extractions_total',
    help: 'PDFs read into policy groups, by the engine that read them.',
    labelNames: ['engine'],
  });
  return {
    evaluated({ guard, flagged, groups, latencyMs }, { fromCache, characters }) {
      verdicts?.inc({ flagged: String(flagged), cached: String(fromCache) });
      if (guard.settings.logRequests !== true) return;
      const violated = groups.flatMap(({ policies }) =>
        policies.filter((policy) => policy.violated).map(({ name }) => name),
      );
      log.info(
        {
          guard_uuid: guard.guardUuid,
          tenant_id: guard.tenantId,
          flagged,
          violated,
          characters,
          from_cache: fromCache,
          latency_ms: latencyMs,
        },
        'text judged',
      );
    },
    cacheCleared({ tenantId, userId }, entries) {
      log.info({ tenant_id: tenantId, user_id: userId, entries }, 'verdict cache cleared');
    },
    adaptationActivated({ tenantId, userId }, guardUuid, adaptationId) {
      log.info(
        { tenant_id: tenantId, user_id: userId, guard_uuid: guardUuid, adaptation_id: adaptationId },
        'guard adapted',
      );
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
