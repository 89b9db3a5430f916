import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Identity } from '#identity/identity.ts';
import { createExtractionEvents, type ExtractionEvents } from './apis/extraction/events.ts';
import { createAllowListEvents, type AllowListEvents } from './guards/allow-list/events.ts';
import { createJudgingEvents, type JudgingEvents } from './judging/events.ts';
import { createAdaptationEvents, type AdaptationEvents } from './learning/adaptations/events.ts';
import { createOptimizationEvents, type OptimizationEvents } from './learning/optimization/events.ts';
import { createExemplarEvents, type ExemplarEvents } from './library/exemplars/events.ts';
import { createQueryLogEvents, type QueryLogEvents } from './observing/queries/events.ts';

/** Log lines and metrics of this service; each feature sees only its own part. */
type PolicyGuardEvents = ExemplarEvents &
  AllowListEvents &
  JudgingEvents &
  AdaptationEvents &
  OptimizationEvents &
  QueryLogEvents &
  ExtractionEvents;

export const createEvents = (
  log: Logger,
  metrics: Metrics | undefined,
  audit: Identity['audit'],
): PolicyGuardEvents => ({
  ...createExemplarEvents(log, metrics),
  ...createAllowListEvents(audit),
  ...createJudgingEvents(log, metrics),
  ...createAdaptationEvents(log, audit),
  ...createOptimizationEvents(log, metrics),
  ...createQueryLogEvents(metrics),
  ...createExtractionEvents(log, metrics),
});
