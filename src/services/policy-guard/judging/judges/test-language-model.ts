import type { Answer } from '#base/contract/operation.ts';
import { conflict, forbidden } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { administersAll } from '#identity/access.ts';
import type { Caller } from '#identity/caller.ts';
import { LanguageModelError } from '#llm/failures.ts';
import type { LanguageModel, LanguageModelStatus } from '#llm/language-model.ts';
import type { languageModelOperations } from '../../contract/language-model.ts';

type Test = Answer<(typeof languageModelOperations)['testLanguageModel']>;

const question = {
  messages: [{ role: 'user' as const, content: 'Answer with the word "ready" and nothing else.' }],
  maxTokens: 64,
};
const longestReply = 200;

export const languageModelHandlers = (
  model: LanguageModel | undefined,
): Handlers<typeof languageModelOperations, Caller> => ({
  async testLanguageModel({ caller }) {
    if (!administersAll(caller))
      throw forbidden('Only an administrator of the tenant system can test the language model.');
    if (model === undefined)
      throw conflict('No language model is configured. Set llm.base_url and llm.model, then start again.');
    return { ...(await tried(model)), ...statusToWire(model.status()) };
  },
});

async function tried(
  model: LanguageModel,
): Promise<Pick<Test, 'answered' | 'error' | 'latency_ms' | 'reply'>> {
  try {
    // First, so that the time is that of the question alone.
    await model.capabilities();
    const startedAt = performance.now();
    const { text } = await model.complete(question);
    return {
      answered: true,
      error: null,
      latency_ms: performance.now() - startedAt,
      reply: text.slice(0, longestReply),
    };
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error;
    return { answered: false, error: error.message, latency_ms: null, reply: null };
  }
}

const statusToWire = ({
  endpoint,
  model,
  capabilities,
  usage,
}: LanguageModelStatus): Pick<Test, 'endpoint' | 'model' | 'capabilities' | 'usage'> => ({
  endpoint,
  model,
  capabilities:
    capabilities === undefined
      ? null
      : {
          logprobs: capabilities.logprobs,
          top_logprobs: capabilities.topLogprobs,
          json_schema: capabilities.jsonSchema,
          reasoning: capabilities.reasoning,
          temperature: capabilities.temperature,
          judges: capabilities.judges,
        },
  usage: {
    questions: usage.questions,
    shared: usage.shared,
    requests: usage.requests,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    failures: Object.values(usage.failures).reduce((sum, count) => sum + count, 0),
  },
});
