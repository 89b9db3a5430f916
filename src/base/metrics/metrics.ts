import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from 'prom-client';
import type { ProcessMetrics } from './process-metrics.ts';

export interface RequestObservation {
  operation: string;
  method: string;
  status: number;
  seconds: number;
}

/** Metrics of one queue of database writes. */
export interface WriterMetrics {
  /** Registers a gauge of the queue's length, read on each scrape. */
  waiting(count: () => number): void;
  lost(entries: number): void;
}

/** One service's Prometheus metrics. */
export interface Metrics {
  observeRequest(observation: RequestObservation): void;
  counter<L extends string>(configuration: Omit<CounterConfiguration<L>, 'registers'>): Counter<L>;
  gauge<L extends string>(configuration: Omit<GaugeConfiguration<L>, 'registers'>): Gauge<L>;
  histogram<L extends string>(configuration: Omit<HistogramConfiguration<L>, 'registers'>): Histogram<L>;
  /** Metrics of a batch writer, labelled by what it writes. */
  writer(of: string): WriterMetrics;
  /** The Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** @param ofProcess process-wide metrics, which the first service registers */
export function createMetrics(service: string, ofProcess?: ProcessMetrics): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  ofProcess?.addTo(registry);
  const requests = new Histogram({
    name: 'bulwark_http_request_duration_seconds',
    help: 'Time from the request’s head to the end of its answer.',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const queues = new Map<string, () => number>();
  const waiting = new Gauge({
    name: 'bulwark_writer_waiting',
    help: 'Entries that are not written to the database yet.',
    labelNames: ['writer'] as const,
    registers: [registry],
    collect() {
      for (const [of, count] of queues) waiting.labels(of).set(count());
    },
  });
  const lost = new Counter({
    name: 'bulwark_writer_lost_total',
    help: 'Entries that could not be written to the database, or were not taken because too many waited.',
    labelNames: ['writer'] as const,
    registers: [registry],
  });
  return {
    observeRequest: ({ operation, method, status, seconds }) =>
      requests.labels(operation, method, String(status)).observe(seconds),
    counter: (configuration) => new Counter({ ...configuration, registers: [registry] }),
    gauge: (configuration) => new Gauge({ ...configuration, registers: [registry] }),
    histogram: (configuration) => new Histogram({ ...configuration, registers: [registry] }),
    writer(of) {
      lost.labels(of).inc(0);
      return {
        waiting: (count) => void queues.set(of, count),
        lost: (entries) => lost.labels(of).inc(entries),
      };
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
