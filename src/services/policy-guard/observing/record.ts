import type { GuardMetrics } from '../guards/metrics.ts';
import type { JudgingEvents } from '../judging/events.ts';
import type { Verdict } from '../judging/verdicts/verdict.ts';
import type { UsageCounts } from './governance/usage-counts.ts';
import type { QueryFacts, QueryLog } from './queries/query-log.ts';

interface RecordDeps {
  readonly metrics: GuardMetrics;
  readonly usage: UsageCounts;
  readonly queryLog: QueryLog;
  readonly events: Pick<JudgingEvents, 'evaluated'>;
}

/** Notes a verdict wherever verdicts are noted: the guard's figures, governance, query log, metrics. */
export const createRecord =
  ({ metrics, usage, queryLog, events }: RecordDeps) =>
  (verdict: Verdict, facts: QueryFacts): void => {
    const { fromCache, text } = facts;
    metrics.count(verdict.guard.guardUuid, { ...verdict, fromCache });
    usage.count(verdict, fromCache);
    queryLog.write(verdict, facts);
    events.evaluated(verdict, { fromCache, characters: text.length });
  };

export type RecordQuery = ReturnType<typeof createRecord>;
