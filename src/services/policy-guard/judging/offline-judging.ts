/** The judges of guards without a server and without a database: for measuring them. */
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { systemClock } from '#base/clock.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import { AppError } from '#base/errors.ts';
import { createLog } from '#base/log/log.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { CompiledPolicy, ContextMessage, PolicySource } from '#engine/text/types.ts';
import { createLanguageModel } from '#llm/language-model.ts';
import { languageModelSettings } from '#llm/settings.ts';
import type { LanguageModelUsage } from '#llm/usage.ts';
import type { policyGuardSections } from '../config.ts';
import type { Sensitivity } from './verdicts/verdict.ts';
import type { Calibrations } from './judges/language-model/language-model-backend.ts';
import { openJudging } from './judges/open-judging.ts';

interface OfflineSettings {
  readonly config: Pick<PlatformConfig, 'llm'> & ConfigOf<typeof policyGuardSections>;
  readonly engine: TextEngine;
}

export interface OfflineQuestion {
  readonly text: string;
  readonly messages: readonly ContextMessage[];
  readonly engine: 'llm' | 'cascade';
  readonly policies: readonly { readonly source: PolicySource; readonly compiled: CompiledPolicy }[];
  readonly sensitivity: Sensitivity;
}

export interface OfflineVerdict {
  /** One for each policy, at the strictness of the sensitivity. */
  readonly probabilities: readonly number[];
  /** Whether the model was needed for any of them, its own memory of equal questions included. */
  readonly askedModel: boolean;
}

export interface OfflineJudging extends AsyncDisposable {
  /** Identifies everything that verdicts depend on besides texts and policies. */
  version(engine: OfflineQuestion['engine']): Promise<string>;
  /** @throws AppError 502 if the model does not respond: a fallback verdict must not be measured instead. */
  judge(question: OfflineQuestion): Promise<OfflineVerdict>;
  /** Use of the model so far. */
  usage(): LanguageModelUsage;
  /** Whether its server returns log-probabilities; without them verdicts are coarser. */
  hasLogprobs(): boolean;
}

/** Measurements are not urgent: a slow model is waited for rather than treated as unavailable. */
const patienceMs = 120_000;
const tenantId = 'offline';

/** Calibrations are stored in a database; here there are none. */
const uncalibrated: Calibrations = {
  of: () => Promise.resolve({ revision: 'none', forPolicy: () => undefined }),
};

/**
 * The judges that the configuration names; verdicts of equal questions are remembered.
 * @throws AppError 409 if no language model is configured, and the model's own error if it cannot be called at all.
 */
export async function openOfflineJudging({ config, engine }: OfflineSettings): Promise<OfflineJudging> {
  const settings = languageModelSettings(config.llm);
  if (settings === undefined)
    throw new AppError(
      409,
      'not_available',
      'No language model is configured: set BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL.',
    );
  const log = createLog({ level: 'silent' });
  const timeoutMs = Math.max(settings.timeoutMs, patienceMs);
  const model = createLanguageModel({ ...settings, timeoutMs }, { clock: systemClock, log });
  await model.capabilities();
  const { judging } = await openJudging({
    settings: {
      ...config.policyGuardJudge,
      engine: 'auto',
      timeoutMs,
      reasoning: 'off',
      failMode: 'degrade',
    },
    engine,
    cache: createMemoryCache({ maxEntries: 200_000, ttlSeconds: 86_400 }),
    languageModel: model,
    calibrations: uncalibrated,
    events: { judgeFailed: () => undefined },
  });
  return {
    version: (choice) => judging.version(tenantId, { engine: choice, failMode: 'degrade' }),
    async judge({ policies, sensitivity, ...question }) {
      const named = policies.map((policy) => ({ ...policy, name: policy.source.name }));
      const [finding] = await judging.judge({ ...question, tenantId, failMode: null, mayCache: true }, [
        { policies: named, sensitivity },
      ]);
      if (finding === undefined || finding.isDegraded)
        throw new AppError(502, 'not_judged', 'The language model did not judge this row.');
      return {
        probabilities: finding.probabilities,
        askedModel: finding.engines.includes('llm'),
      };
    },
    usage: () => model.status().usage,
    hasLogprobs: () => model.status().capabilities?.logprobs === true,
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}
