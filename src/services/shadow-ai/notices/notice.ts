import type { Severity } from '#engine/shadow-ai/catalogue.ts';
import type { FoundDetection } from './store.ts';

/** A detection to be told, with its rule as the tenant sees it. */
export interface Notice {
  readonly isNewTool: boolean;
  readonly detection: FoundDetection;
  readonly name: string;
  readonly severity: Severity;
}
