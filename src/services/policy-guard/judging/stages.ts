/** How long each part of a verdict takes, for metrics and traces. */
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Tracing } from '#base/tracing/tracing.ts';

export type Stage = 'cache' | 'judge' | 'log';

export interface Stages {
  /** Runs one stage; costs nothing if neither metrics nor tracing is on. */
  run<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
  /** The trace of the request at hand. */
  traceId(): string | undefined;
}

const bucketsSeconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function createStages(metrics: Metrics | undefined, tracing: Tracing | undefined): Stages {
  const durations = metrics?.histogram({
    name: 'bulwark_policy_guard_stage_duration_seconds',
    help: 'Time of the parts of a verdict: cache (a miss includes judging), judge, log (a batch of entries).',
    labelNames: ['stage'],
    buckets: bucketsSeconds,
  });
  const traceId = () => tracing?.traceId();
  if (durations === undefined && tracing === undefined) return { run: (_, work) => work(), traceId };

  const timed = async <T>(stage: Stage, work: () => Promise<T>): Promise<T> => {
    const end = durations?.startTimer({ stage });
    try {
      return await work();
    } finally {
      end?.();
    }
  };
  return {
    run: (stage, work) =>
      tracing === undefined
        ? timed(stage, work)
        : tracing.span(`policy_guard.${stage}`, () => timed(stage, work)),
    traceId,
  };
}
