/** A scan as this service stores it. */
import type { RunError, RunStatus } from '#base/jobs/runs/run.ts';
import type { Visibility } from '#identity/sharing.ts';
import type { ScanStatus } from '../contract/names.ts';

export interface ScannedModel {
  readonly baseUrl: string;
  readonly modelName: string;
  readonly temperature: number;
  readonly maxTokens: number;
}

export interface ScanSettings {
  readonly datasets: readonly string[];
  readonly algorithms: readonly string[];
  readonly concurrency: number;
  readonly qpm?: number | undefined;
  readonly budget: { readonly requests?: number | undefined; readonly tokens?: number | undefined };
  /** Cases of each data set for each algorithm. */
  readonly attackCases: number;
  /** Attackers and the rubric of the deployment's language model. */
  readonly usesLanguageModel?: boolean | undefined;
  readonly isUserModel?: boolean | undefined;
  readonly applicationId?: string | undefined;
}

export interface Scan {
  readonly scanId: string;
  readonly runId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly scanName: string;
  readonly sandbox: boolean;
  readonly model: ScannedModel;
  readonly settings: ScanSettings;
  readonly seed: number;
  readonly total: number;
  readonly passed: number;
  readonly activeMs: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly createdAt: Date;
  // Of its run:
  readonly runStatus: RunStatus;
  readonly step: string | null;
  readonly errorCode: RunError['code'] | null;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The step of a run that has begun to send cases. */
export const scanningStep = 'scanning';

/** The state that the documents name. */
export function statusOf({
  runStatus,
  step,
  errorCode,
}: Pick<Scan, 'runStatus' | 'step' | 'errorCode'>): ScanStatus {
  switch (runStatus) {
    case 'completed':
      return 'Finished';
    case 'paused':
      return 'Paused';
    case 'failed':
      // What the target or its settings caused is a failure; a crash or a defect of ours an error.
      return errorCode === 'failed' ? 'Failed' : 'Error';
    case 'running':
      return step === scanningStep ? 'Scanning' : 'Initializing';
    case 'queued':
      return 'Initializing';
    case 'waiting':
    case 'cancelled':
      return 'Error';
  }
}

export const canPause = (status: ScanStatus) => status === 'Scanning' || status === 'Initializing';
export const canRetry = (status: ScanStatus) =>
  status === 'Paused' || status === 'Failed' || status === 'Error';

/** A request per second and place, before anything is known of the target. */
const firstGuessMs = 1000;

/** Estimated seconds of sending that are left. */
export function remainingSeconds({ total, passed, activeMs, settings, runStatus }: Scan): number {
  if (runStatus === 'completed') return 0;
  const left = total - passed;
  const guessed = Math.max(
    firstGuessMs / settings.concurrency,
    settings.qpm === undefined ? 0 : 60_000 / settings.qpm,
  );
  const perTest = passed === 0 ? guessed : activeMs / passed;
  return Math.round((left * perTest) / 100) / 10;
}
