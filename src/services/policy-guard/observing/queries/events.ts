import type { Metrics } from '#base/metrics/metrics.ts';

/** Log lines and metrics of the query log. */
export interface QueryLogEvents {
  /** Entries of the query log that could not be written. */
  queriesLost(entries: number): void;
}

export function createQueryLogEvents(metrics: Metrics | undefined): QueryLogEvents {
  const lost = metrics?.counter({
    name: 'bulwark_policy_guard_queries_lost_total',
    help: 'Entries of the query log that could not be written.',
    labelNames: [],
  });
  return {
    queriesLost(entries) {
      lost?.inc(entries);
    },
  };
}
