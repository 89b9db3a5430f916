import { LanguageModelError } from '#llm/failures.ts';
import type { RawVerdict } from './shared-verdicts.ts';

/** One window of the text as it is sent to the model. */
export interface Window {
  readonly user: string;
  /** Equal for equal data. */
  readonly line: string;
}

export interface Failed {
  /** The code of what went wrong. */
  readonly failure: string;
}

/** The model's result for one window and one policy. */
export type Outcome = RawVerdict | Failed;

/** A language model's own failures become outcomes; anything else is thrown. */
export async function outcomeOf<T>(promise: Promise<T>): Promise<T | Failed> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error;
    return { failure: error.code };
  }
}
