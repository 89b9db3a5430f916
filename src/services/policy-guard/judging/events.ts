import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import type { EngineChoice, FailMode } from '../guards/engines.ts';
import type { Verdict } from './verdicts/verdict.ts';

/** Log lines and metrics of judging, one function per event. */
export interface JudgingEvents {
  /** A text was judged by a guard; logged, without the text, if the guard is set to. */
  evaluated(verdict: Verdict, facts: { fromCache: boolean; characters: number }): void;
  /** A judge other than the embedded engine gave no answer about a policy. */
  judgeFailed(engine: EngineChoice, code: string, failMode: FailMode): void;
  cacheCleared(caller: Caller, entries: number): void;
}

const warnEveryMs = 10_000;

export function createJudgingEvents(log: Logger, metrics: Metrics | undefined): JudgingEvents {
  const verdicts = metrics?.counter({
    name: 'bulwark_policy_guard_verdicts_total',
    help: 'Texts judged by guards.',
    labelNames: ['flagged', 'outcome', 'cached'],
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
    cacheCleared({ tenantId, userId }, entries) {
      log.info({ tenant_id: tenantId, user_id: userId, entries }, 'verdict cache cleared');
    },
  };
}
