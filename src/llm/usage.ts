import type { LanguageModelFailure } from './failures.ts';

/** One finished request to the model, including those that shared another's answer. */
export interface LanguageModelObservation {
  readonly outcome: 'ok' | LanguageModelFailure | 'abandoned';
  readonly ms: number;
  /** Requests that it took; 0 for a shared answer. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Counts since the start. */
export interface LanguageModelUsage {
  /** Questions, and how many of them shared another's answer. */
  readonly questions: number;
  readonly shared: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly failures: Readonly<Partial<Record<LanguageModelFailure | 'abandoned', number>>>;
}

/** Adds up observations and passes each on. */
export function createUsage(onObservation: ((observation: LanguageModelObservation) => void) | undefined) {
  let counts: LanguageModelUsage = {
    questions: 0,
    shared: 0,
    requests: 0,
    promptTokens: 0,
    completionTokens: 0,
    failures: {},
  };
  return {
    add(observation: LanguageModelObservation) {
      const { outcome, requests } = observation;
      counts = {
        questions: counts.questions + 1,
        shared: counts.shared + Number(requests === 0 && outcome === 'ok'),
        requests: counts.requests + requests,
        promptTokens: counts.promptTokens + observation.promptTokens,
        completionTokens: counts.completionTokens + observation.completionTokens,
        failures:
          outcome === 'ok'
            ? counts.failures
            : { ...counts.failures, [outcome]: (counts.failures[outcome] ?? 0) + 1 },
      };
      onObservation?.(observation);
    },
    read: () => counts,
  };
}
