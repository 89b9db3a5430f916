import { toIsoTime } from '#base/clock.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { LanguageModel, LanguageModelStatus } from '#llm/language-model.ts';
import type { healthOperations } from '../../contract/health.ts';
import type { Judging } from './judging.ts';

type Health = Answer<(typeof healthOperations)['getHealth']>;

/** The judges, and the state of the language model; its address is omitted, since the health check is public. */
export const judgeToHealth = (
  { engines, preset }: Judging,
  model: LanguageModel | undefined,
): Pick<Health, 'llm_available' | 'judge' | 'llm'> => ({
  llm_available: model?.status().available ?? false,
  judge: { engine: preset.engine, engines: [...engines], fail_mode: preset.failMode },
  llm: model === undefined ? null : modelToHealth(model.status()),
});

const unknown = { logprobs: null, top_logprobs: null, json_schema: null, reasoning: null, judges: null };

const modelToHealth = ({ model, probedAt, capabilities }: LanguageModelStatus): Health['llm'] => ({
  model,
  probed_at: probedAt === undefined ? null : toIsoTime(probedAt),
  ...(capabilities === undefined
    ? unknown
    : {
        logprobs: capabilities.logprobs,
        top_logprobs: capabilities.topLogprobs,
        json_schema: capabilities.jsonSchema,
        reasoning: capabilities.reasoning,
        judges: capabilities.judges,
      }),
});
