/** The chat-completions wire format. */
import { z } from 'zod';
import { llmMalformed } from './failures.ts';
import { withoutReasoning } from './read-reply.ts';
import type { TokenLogprobs } from './verdict.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Pictures that belong to it, as data URIs; only for models that see. */
  readonly images?: readonly string[] | undefined;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Tokens of the reply, without reasoning. */
  readonly maxTokens: number;
  /** Default 0. */
  readonly temperature?: number;
  readonly logprobs?: boolean;
  /** The schema of the reply; only if the capabilities have `jsonSchema`. */
  readonly schema?: { readonly name: string; readonly schema: unknown; readonly strict: boolean } | undefined;
}

export interface ChatAnswer {
  /** Without reasoning. */
  readonly text: string;
  readonly hasReasoning: boolean;
  /** Whether the reasoning is in a separate field, visible or not. */
  readonly hasReasoningField: boolean;
  readonly isRefused: boolean;
  readonly isCutOff: boolean;
  readonly tokens: readonly TokenLogprobs[] | undefined;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Token allowance for reasoning before the answer. */
const reasoningTokens = 2048;

const logprob = z.object({ token: z.string(), logprob: z.number() });
const textOrNone = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: textOrNone,
        message: z.object({
          content: textOrNone,
          refusal: textOrNone,
          reasoning_content: textOrNone,
          reasoning: textOrNone,
        }),
        logprobs: z
          .object({
            content: z.array(logprob.extend({ top_logprobs: z.array(logprob).nullish() })).nullish(),
          })
          .nullish()
          .catch(undefined),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number(), completion_tokens: z.number() })
    .nullish()
    .catch(undefined)
    .transform((usage) => usage ?? { prompt_tokens: 0, completion_tokens: 0 }),
});
type Choice = z.infer<typeof answerSchema>['choices'][number];

/** Estimates tokens, for the budget before the server reports usage. */
export const estimatedTokens = ({ messages, maxTokens }: ChatRequest): number =>
  messages.reduce(
    (sum, { content, images = [] }) =>
      sum + Math.ceil(Buffer.byteLength(content) / 4) + 4 + images.length * tokensOfPicture,
    maxTokens,
  );

/** A small picture costs 250 to 800 tokens, depending on the model. */
const tokensOfPicture = 500;

/** The request format for one model on one server. */
export interface Dialect {
  /** `top_logprobs` to request; 0: not supported. */
  readonly topLogprobs: number;
  /** Answers of a given JSON Schema. */
  readonly jsonSchema: boolean;
  /** Whether and where the model returns its reasoning. */
  readonly reasoning: 'none' | 'field' | 'inline';
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server takes a temperature. */
  readonly temperature: boolean;
}

/** The body that the server takes, by what is known of it. */
export function chatBody(model: string, request: ChatRequest, dialect: Dialect): Record<string, unknown> {
  const { messages, maxTokens, temperature = 0, schema } = request;
  const thinking = dialect.reasoning === 'none' ? 0 : reasoningTokens;
  return {
    model,
    messages: messages.map(wireMessage),
    [dialect.maxTokensField]: maxTokens + thinking,
    ...(dialect.temperature ? { temperature } : {}),
    ...(request.logprobs === true && dialect.topLogprobs > 0
      ? { logprobs: true, top_logprobs: dialect.topLogprobs }
      : {}),
    ...(schema !== undefined && dialect.jsonSchema
      ? { response_format: { type: 'json_schema', json_schema: schema } }
      : {}),
  };
}

const wireMessage = ({ role, content, images = [] }: ChatMessage) => ({
  role,
  content:
    images.length === 0
      ? content
      : [
          { type: 'text', text: content },
          ...images.map((url) => ({ type: 'image_url', image_url: { url } })),
        ],
});

/** @throws LanguageModelError `llm_malformed` for anything that is not a chat completion. */
export function readChatAnswer(body: string): ChatAnswer {
  const { choices, usage } = parse(body);
  const [choice] = choices;
  if (choice === undefined) throw llmMalformed('The language model’s server answered without a choice.');
  const { message, finish_reason: finish } = choice;
  const text = withoutReasoning(message.content);
  const isCutOff = finish === 'length';
  // Some hide their reasoning: it shows only as a cut-off response without text.
  const isThinkingUnseen = isCutOff && message.content === '';
  const hasReasoningField = message.reasoning_content + message.reasoning !== '' || isThinkingUnseen;
  return {
    text,
    hasReasoning: hasReasoningField || text.length < message.content.trim().length,
    hasReasoningField,
    isRefused: message.refusal !== '' || finish === 'content_filter',
    isCutOff,
    tokens: tokensOf(choice),
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
  };
}

const tokensOf = ({ logprobs }: Choice): TokenLogprobs[] | undefined =>
  logprobs?.content?.map(({ token, logprob: own, top_logprobs: top }) => ({
    token,
    logprob: own,
    top: top ?? [],
  }));

function parse(body: string): z.infer<typeof answerSchema> {
  try {
    return answerSchema.parse(JSON.parse(body));
  } catch {
    // Without a cause, which would quote the server's output.
    throw llmMalformed('The language model’s server did not answer with a chat completion.', {
      retryable: true,
    });
  }
}
