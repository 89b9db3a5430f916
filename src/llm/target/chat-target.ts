/** A chat model under test, over chat completions. A refusal is a valid answer; only a missing answer is a failure. */
import { z } from 'zod';
import type { Secret } from '#base/config/secret.ts';
import { TargetError } from './failures.ts';
import {
  openTarget,
  type AskOptions,
  type Target,
  type TargetDependencies,
  type TargetSettings,
} from './target.ts';

export interface ChatTargetSettings extends Omit<TargetSettings, 'url' | 'headers'> {
  /** Up to and with `/v1`, or whatever the server has instead; `chat/completions` is added unless it ends so. */
  readonly baseUrl: string;
  readonly apiKey?: Secret | undefined;
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  /** Sent with each request, over ours. */
  readonly extraHeaders?: Readonly<Record<string, string | Secret>>;
}

export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Sampling of one request, over the target's own. */
export interface ChatOptions extends AskOptions {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
}

export interface ChatReply {
  /** As the model wrote it, thoughts in the text included; empty where it gave none. */
  readonly text: string;
  /** Reasoning that the server returns separately. */
  readonly reasoning: string | undefined;
  /** A refusal marked by the model or its server, in addition to the text. */
  readonly refusedBy: 'model' | 'filter' | undefined;
  /** Cut off at `maxTokens`. */
  readonly isCutOff: boolean;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly requests: number;
  readonly latencyMs: number;
}

export interface ChatTarget {
  readonly model: string;
  readonly target: Pick<Target, 'usage'>;
  /** @throws TargetError; the signal's reason */
  reply(turns: readonly ChatTurn[], options?: ChatOptions): Promise<ChatReply>;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const part = z.object({ type: z.string().optional(), text: z.string().optional() });
const content = z.union([
  text,
  z.array(part).transform((parts) => parts.map(({ text: own }) => own ?? '').join('')),
]);
const count = z.number().int().nonnegative().catch(0);
const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: text,
        message: z.object({
          content,
          refusal: text,
          reasoning_content: text.catch(''),
          reasoning: text.catch(''),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count })
    .nullish()
    .catch(undefined)
    .transform((usage) => usage ?? { prompt_tokens: 0, completion_tokens: 0 }),
});

/** @throws AppError 422 for an address that must not be called */
export function openChatTarget(settings: ChatTargetSettings, dependencies: TargetDependencies): ChatTarget {
  const { baseUrl, apiKey, model, temperature, maxTokens, extraHeaders, ...pacing } = settings;
  const target = openTarget(
    {
      ...pacing,
      url: completionsUrl(baseUrl),
      headers: {
        ...(apiKey === undefined ? {} : { authorization: bearer(apiKey) }),
        ...lowerCased(extraHeaders),
      },
    },
    dependencies,
  );
  /** Servers differ in these two; a refused variant is not sent again. */
  const dialect = { maxTokensField: 'max_tokens', temperature: true };

  /** Whether another wording of the same request may be taken. */
  const adapt = ({ rejected }: TargetError): boolean => {
    if (rejected === 'max_tokens' && dialect.maxTokensField === 'max_tokens') {
      dialect.maxTokensField = 'max_completion_tokens';
      return true;
    }
    if (rejected === 'temperature' && dialect.temperature) {
      dialect.temperature = false;
      return true;
    }
    return false;
  };

  const ask = async (turns: readonly ChatTurn[], options: ChatOptions): Promise<ChatReply> => {
    for (let requests = 0; ;) {
      let sent = 0;
      const body = {
        model,
        messages: turns,
        [dialect.maxTokensField]: options.maxTokens ?? maxTokens,
        ...(dialect.temperature ? { temperature: options.temperature ?? temperature } : {}),
        ...(dialect.temperature && options.topP !== undefined ? { top_p: options.topP } : {}),
      };
      try {
        const answer = await target.post(body, options);
        sent = answer.requests;
        const reply = readCompletion(answer.json);
        target.countTokens(reply, options.owner);
        return { ...reply, requests: requests + answer.requests, latencyMs: answer.latencyMs };
      } catch (error) {
        if (!(error instanceof TargetError)) throw error;
        requests += error.requests + sent;
        error.requests = requests;
        if (isFiltered(error)) return { ...filtered, requests };
        if (!adapt(error)) throw error;
      }
    }
  };

  return { model, target, reply: (turns, options = {}) => ask(turns, options) };
}

const completionsUrl = (baseUrl: string): string => {
  const base = baseUrl.replace(/\/+$/, '');
  return base.endsWith('/chat/completions') ? base : `${base}/chat/completions`;
};

/** The key as a header that prints as `[secret]`, like the key itself. */
const bearer = (key: Secret): Secret => key.map((value) => `Bearer ${value}`);

const lowerCased = (headers: ChatTargetSettings['extraHeaders'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Some servers respond 400 if their own filter stopped the prompt: the request was understood, and refused. */
const isFiltered = ({ code, said }: TargetError): boolean =>
  code === 'target_rejected' &&
  /"(?:content_filter|content_policy_violation|responsible_ai_policy_violation)"/i.test(said ?? '');

const filtered: Omit<ChatReply, 'requests'> = {
  text: '',
  reasoning: undefined,
  refusedBy: 'filter',
  isCutOff: false,
  promptTokens: 0,
  completionTokens: 0,
  latencyMs: 0,
};

function readCompletion(json: unknown): Omit<ChatReply, 'requests' | 'latencyMs'> {
  const read = completionSchema.safeParse(json);
  const choice = read.data?.choices[0];
  if (choice === undefined)
    throw new TargetError('target_unreadable', 'The target answered something other than a chat completion.');
  const { message, finish_reason: finish } = choice;
  const reasoning = message.reasoning_content || message.reasoning;
  return {
    text: message.content || message.refusal,
    reasoning: reasoning === '' ? undefined : reasoning,
    refusedBy: message.refusal !== '' ? 'model' : finish === 'content_filter' ? 'filter' : undefined,
    isCutOff: finish === 'length',
    promptTokens: read.data?.usage.prompt_tokens ?? 0,
    completionTokens: read.data?.usage.completion_tokens ?? 0,
  };
}
