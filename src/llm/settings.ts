import type { PlatformConfig } from '#base/config/platform.ts';
import type { Secret } from '#base/config/secret.ts';
import { StartupError } from '#base/errors.ts';

/** Where a language model is and how much of it may be used. */
export interface LanguageModelSettings {
  /** Up to and with `/v1`, or whatever the server has instead. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: Secret | undefined;
  /** For one call with its retries and fallbacks. */
  readonly timeoutMs: number;
  /** For one request. */
  readonly attemptTimeoutMs: number;
  /** Requests for one question, the first among them. */
  readonly attempts: number;
  readonly maxConcurrent: number;
  /** Prompt and answer together; 0: no limit. */
  readonly tokensPerMinute: number;
}

/** The settings from the configuration; undefined where no model is configured. */
export function languageModelSettings({
  baseUrl,
  model,
  ...others
}: PlatformConfig['llm']): LanguageModelSettings | undefined {
  if (baseUrl === undefined) return undefined;
  if (model === undefined)
    throw new StartupError('BULWARK_LLM_BASE_URL is set, so BULWARK_LLM_MODEL must name the model.');
  return { baseUrl, model, ...others };
}
