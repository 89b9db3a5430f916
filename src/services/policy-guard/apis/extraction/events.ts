import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';

/** Log lines and metrics of extraction. */
export interface ExtractionEvents {
  /** A PDF was read into an unsaved group. */
  policiesExtracted(facts: { pages: number; policies: number; engine: string }): void;
}

export function createExtractionEvents(log: Logger, metrics: Metrics | undefined): ExtractionEvents {
  const extractions = metrics?.counter({
    name: 'bulwark_policy_guard_extractions_total',
    help: 'PDFs read into policy groups, by the engine that read them.',
    labelNames: ['engine'],
  });
  return {
    policiesExtracted({ pages, policies, engine }) {
      extractions?.inc({ engine });
      log.info({ pages, policies, engine }, 'policies extracted from a PDF');
    },
  };
}
