import type { Metrics } from '../../metrics/metrics.ts';
import type { RunStatus, RunSummary } from './run.ts';

interface Instruments {
  readonly ended: ReturnType<Metrics['histogram']>;
  readonly counts: Map<string, () => Promise<ReadonlyMap<RunStatus, number>>>;
}

/** A service has one set of them, for all its kinds. */
const instruments = new WeakMap<Metrics, Instruments>();

function instrumentsOf(metrics: Metrics): Instruments {
  const counts: Instruments['counts'] = new Map();
  metrics.gauge({
    name: 'bulwark_runs',
    help: 'Runs that have not ended, of all processes.',
    labelNames: ['kind', 'status'],
    async collect() {
      for (const [kind, count] of counts) {
        const now = await count().catch(() => undefined);
        for (const status of ['queued', 'running', 'paused', 'waiting'] as const)
          if (now === undefined) this.remove({ kind, status });
          else this.set({ kind, status }, now.get(status) ?? 0);
      }
    },
  });
  const ended = metrics.histogram({
    name: 'bulwark_run_duration_seconds',
    help: 'Time from the first execution of a run to its end, by how it ended; runs that never began count as 0.',
    labelNames: ['kind', 'status', 'error'],
    buckets: [0.1, 1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 24 * 3600],
  });
  return { counts, ended };
}

/** Queued and running runs, and seconds and outcomes of those that ended. */
export function runMetrics(
  metrics: Metrics,
  kind: string,
  count: () => Promise<ReadonlyMap<RunStatus, number>>,
): { ended(run: RunSummary): void } {
  const own = instruments.get(metrics) ?? instrumentsOf(metrics);
  instruments.set(metrics, own);
  own.counts.set(kind, count);
  return {
    ended({ status, error, startedAt, finishedAt }) {
      const seconds = startedAt === null || finishedAt === null ? 0 : (+finishedAt - +startedAt) / 1000;
      own.ended.observe({ kind, status, error: error?.code ?? '' }, seconds);
    },
  };
}
