import type { Clock } from '#base/clock.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import type { Logger } from '#base/log/log.ts';
import { createLanguageModel, type LanguageModel } from '#llm/language-model.ts';
import { languageModelSettings } from '#llm/settings.ts';

/** An answer of many sentences takes longer than the verdict that the configured time is meant for. */
const leastAttemptTimeoutMs = 60_000;

/** The configured model as a writer of long answers; undefined where none is configured. */
export function openLanguageModel(
  llm: PlatformConfig['llm'],
  dependencies: { clock: Clock; log: Logger },
): LanguageModel | undefined {
  const settings = languageModelSettings(llm);
  return (
    settings &&
    createLanguageModel(
      { ...settings, attemptTimeoutMs: Math.max(settings.attemptTimeoutMs, leastAttemptTimeoutMs) },
      dependencies,
    )
  );
}
