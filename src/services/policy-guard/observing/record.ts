import type { Count } from '#alerts/counts.ts';
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
  /** For rules of alerts. */
  readonly count: Count | undefined;
}

/** Notes a verdict wherever verdicts are noted: the guard's figures, governance, query log, metrics. */
export const createRecord =
  ({ metrics, usage, queryLog, events, count }: RecordDeps) =>
  (verdict: Verdict, facts: QueryFacts): void => {
    const { fromCache, text } = facts;
    metrics.count(verdict.guard.guardUuid, { ...verdict, fromCache });
    usage.count(verdict, fromCache);
    queryLog.write(verdict, facts);
    events.evaluated(verdict, { fromCache, characters: text.length });
    const { guard, outcome, found } = verdict;
    count?.({
      tenantId: guard.tenantId,
      source: 'texts',
      subject: guard.guardUuid,
      subjectName: guard.name,
      stopped: outcome === 'flagged',
      failed: found.some(({ isDegraded }) => isDegraded),
    });
  };

export type RecordQuery = ReturnType<typeof createRecord>;
