import type { Capabilities } from './capabilities.ts';
import { probe } from './capabilities.ts';
import { chatBody, type ChatAnswer, type ChatMessage, type ChatRequest } from './chat-wire.ts';
import { Chat, type ChatDependencies } from './chat.ts';
import { classify, type Asker, type Classification, type ClassifyRequest } from './classify.ts';
import { before, startDeadline, type Deadline } from './deadline.ts';
import { LanguageModelError, llmMalformed, llmRefused } from './failures.ts';
import type { LanguageModelSettings } from './settings.ts';
import { structured, type StructuredRequest } from './structured.ts';
import type { LanguageModelUsage } from './usage.ts';

export interface CallOptions {
  /** For the whole call; default: the configured time. */
  readonly timeoutMs?: number;
  /** For each request of it; default: the configured time. Long answers need more than verdicts. */
  readonly attemptTimeoutMs?: number;
  /** Aborts for this caller; others that share the request still get its answer. */
  readonly signal?: AbortSignal;
  /** Told of the tokens of each answer, such as for the bill of one user; whoever shares an answer is told of it too. */
  readonly onTokens?: (tokens: { promptTokens: number; completionTokens: number }) => void;
}

export interface CompleteRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  /** Default 0. */
  readonly temperature?: number;
}

export interface Completion {
  /** Without the model's reasoning. */
  readonly text: string;
  /** The answer is longer than `maxTokens`. */
  readonly isCutOff: boolean;
}

/** What health and the reference page show of the model; nothing of it is secret. */
export interface LanguageModelStatus {
  readonly endpoint: string;
  readonly model: string;
  /** Whether the last request succeeded; false before the first. */
  readonly available: boolean;
  /** Undefined until it has responded once. */
  readonly capabilities: Capabilities | undefined;
  /** Unix time in milliseconds. */
  readonly probedAt: number | undefined;
  readonly usage: LanguageModelUsage;
}

/**
 * A language model. Every call ends at its deadline at the latest and throws {@link LanguageModelError} with the code
 * `llm_unavailable`, `llm_timeout`, `llm_refused` or `llm_malformed`, or the reason of the caller's own signal.
 */
export interface LanguageModel extends AsyncDisposable {
  readonly model: string;
  /** Probabilities of the three letters; see {@link Classification}. */
  classify(request: ClassifyRequest, options?: CallOptions): Promise<Classification>;
  /** A value of the schema. */
  structured<T>(request: StructuredRequest<T>, options?: CallOptions): Promise<T>;
  /** Free text. A reply in which the model refuses is a result; only a refusal by its server is a failure. */
  complete(request: CompleteRequest, options?: CallOptions): Promise<Completion>;
  /** Detects the model's capabilities, if unknown. */
  capabilities(options?: CallOptions): Promise<Capabilities>;
  status(): LanguageModelStatus;
}

/** How long detected capabilities stay valid. */
const probeLifeMs = 60 * 60 * 1000;
/**
 * How long they are not questioned: servers also blame a parameter for texts that are too long, and senders of
 * such texts must not trigger a probe each time.
 */
const undoubtedMs = 60 * 1000;

/** Opens a model; the first call also detects its capabilities. */
export function createLanguageModel(
  settings: LanguageModelSettings,
  dependencies: ChatDependencies,
): LanguageModel {
  const { model } = settings;
  const chat = new Chat(settings, dependencies);
  const known = createKnowledge(settings, dependencies, (request, body, deadline) =>
    chat.ask(request, body, { deadline }),
  );

  async function call<T>(
    { timeoutMs = settings.timeoutMs, attemptTimeoutMs, signal, onTokens }: CallOptions,
    use: (asker: Asker) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    using deadline = startDeadline(timeoutMs, signal);
    const has = await before(deadline, known.get());
    const ask = async (request: ChatRequest) => {
      try {
        const answer = await chat.ask(request, chatBody(model, request, has), { deadline, attemptTimeoutMs });
        onTokens?.(answer);
        return answer;
      } catch (error) {
        known.hear(error);
        throw error;
      }
    };
    return await before(deadline, use({ logprobs: has.logprobs, jsonSchema: has.jsonSchema, ask }));
  }

  return {
    model,
    classify: (request, options = {}) => call(options, (asker) => classify(request, asker)),
    structured: (request, options = {}) => call(options, (asker) => structured(request, asker)),
    complete: (request, options = {}) => call(options, async ({ ask }) => completion(await ask(request))),
    async capabilities(options = {}) {
      using deadline = startDeadline(options.timeoutMs ?? settings.timeoutMs, options.signal);
      return await before(deadline, known.get());
    },
    status: () => ({
      endpoint: shown(settings.baseUrl),
      model,
      available: known.isGood() && !chat.isDown,
      ...known.read(),
      usage: chat.usage(),
    }),
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}

/** Without a name or key that somebody wrote into the address. */
function shown(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.origin}${url.pathname}`;
}

function completion({ text, isRefused, isCutOff }: ChatAnswer): Completion {
  if (isRefused) throw llmRefused('The language model’s server refused to answer.');
  if (text === '' && !isCutOff) throw llmMalformed('The language model’s answer is empty.');
  return { text, isCutOff };
}

type AskWithin = (
  request: ChatRequest,
  body: Record<string, unknown>,
  deadline: Deadline,
) => Promise<ChatAnswer>;

/**
 * Capabilities of the model: one probe at a time, valid for an hour, questioned if the server refuses a parameter.
 * Expired ones are used until refreshed; questioned ones are not.
 */
function createKnowledge(
  { model, timeoutMs }: LanguageModelSettings,
  { clock, log }: ChatDependencies,
  ask: AskWithin,
) {
  let capabilities: Capabilities | undefined;
  let probedAt: number | undefined;
  let isDoubted = false;
  let isGood = false;
  let running: Promise<Capabilities> | undefined;
  const ageMs = () => clock.now() - (probedAt ?? 0);

  async function find(): Promise<Capabilities> {
    // Several requests one after the other: each has the time of one call.
    const within = async (request: ChatRequest, body: Record<string, unknown>) => {
      using deadline = startDeadline(timeoutMs);
      return await ask(request, body, deadline);
    };
    try {
      const found = await probe(model, within);
      capabilities = found;
      probedAt = clock.now();
      [isDoubted, isGood] = [false, true];
      log.info({ model, ...found }, 'language model probed');
      return found;
    } catch (error) {
      isGood = false;
      throw error;
    } finally {
      running = undefined;
    }
  }

  return {
    get(): Promise<Capabilities> {
      const usable = isDoubted ? undefined : capabilities;
      if (usable !== undefined && ageMs() < probeLifeMs) return Promise.resolve(usable);
      running ??= find();
      running.catch(() => undefined);
      return usable === undefined ? running : Promise.resolve(usable);
    },
    /** Handles a failure that suggests changed capabilities. */
    hear(error: unknown) {
      const isRefusal = error instanceof LanguageModelError && error.rejected !== undefined;
      if (isRefusal && ageMs() >= undoubtedMs) isDoubted = true;
    },
    isGood: () => isGood,
    read: () => ({ capabilities, probedAt }),
  };
}
