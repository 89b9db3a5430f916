/** Requests with budget, concurrency limit, retries and coalescing of identical requests. */
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log/log.ts';
import { createSemaphore } from '#base/semaphore.ts';
import { estimatedTokens, readChatAnswer, type ChatAnswer, type ChatRequest } from './chat-wire.ts';
import { openChatTransport } from './chat-transport.ts';
import { before, pause, startDeadline, type Deadline } from './deadline.ts';
import { LanguageModelError, llmTimeout } from './failures.ts';
import { createBreaker, createTokenBudget } from './limits.ts';
import type { LanguageModelSettings } from './settings.ts';
import { createUsage, type LanguageModelObservation, type LanguageModelUsage } from './usage.ts';

export interface ChatDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly onObservation?: ((observation: LanguageModelObservation) => void) | undefined;
}

/** Timeouts: for the whole call, and per request if not as configured. */
export interface TimeLimits {
  readonly deadline: Deadline;
  readonly attemptTimeoutMs?: number | undefined;
}

interface Spent {
  requests: number;
  promptTokens: number;
  completionTokens: number;
}

const firstBackoffMs = 200;

/** Exponential backoff with jitter; Retry-After takes precedence. */
const backoffMs = (attempt: number, { retryAfterMs }: LanguageModelError): number =>
  retryAfterMs ?? firstBackoffMs * 2 ** attempt * (0.5 + Math.random() / 2);

const outcomeOf = (error: unknown): LanguageModelObservation['outcome'] =>
  error instanceof LanguageModelError ? error.code : 'abandoned';

export class Chat implements AsyncDisposable {
  readonly #settings: LanguageModelSettings;
  readonly #dependencies: ChatDependencies;
  readonly #transport;
  readonly #places;
  readonly #budget;
  readonly #breaker;
  readonly #usage;
  readonly #flights = new Map<string, Promise<ChatAnswer>>();

  constructor(settings: LanguageModelSettings, dependencies: ChatDependencies) {
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#transport = openChatTransport(settings);
    this.#places = createSemaphore(settings.maxConcurrent);
    this.#budget = createTokenBudget(settings.tokensPerMinute, dependencies.clock);
    this.#breaker = createBreaker(dependencies.clock);
    this.#usage = createUsage(dependencies.onObservation);
  }

  /**
   * Answers within the deadline or throws LanguageModelError; the caller's own reason where the caller gave up.
   * @param body what goes over the wire for the request.
   */
  async ask(request: ChatRequest, body: Record<string, unknown>, limits: TimeLimits): Promise<ChatAnswer> {
    if (limits.deadline.remainingMs() === 0)
      throw llmTimeout('The deadline passed before the language model could be asked.');
    // Sampled replies should differ, so do not share them.
    if ((request.temperature ?? 0) > 0) return this.#question(request, body, limits);
    const key = createHash('sha256').update(JSON.stringify(body)).digest('base64');
    return this.#shared(key, request, { body, limits });
  }

  usage(): LanguageModelUsage {
    return this.#usage.read();
  }

  /** Whether the circuit breaker is open. */
  get isDown() {
    return this.#breaker.isOpen;
  }

  [Symbol.asyncDispose]() {
    return this.#transport[Symbol.asyncDispose]();
  }

  async #attempt(
    body: unknown,
    { deadline, attemptTimeoutMs = this.#settings.attemptTimeoutMs }: TimeLimits,
  ): Promise<ChatAnswer> {
    this.#breaker.check();
    using _place = await this.#places.acquire(deadline.signal);
    const givenMs = Math.min(attemptTimeoutMs, deadline.remainingMs());
    using own = startDeadline(givenMs, deadline.signal);
    try {
      const answer = readChatAnswer(await this.#transport.post(body, own));
      this.#breaker.succeeded();
      return answer;
    } catch (error) {
      if (isSignOfDowntime(error, givenMs >= attemptTimeoutMs / 2)) this.#breaker.failed();
      throw error;
    }
  }

  /** Tries again where that may help and there is time. */
  async #attempts(body: unknown, limits: TimeLimits, spent: Spent): Promise<ChatAnswer> {
    const { deadline } = limits;
    for (let n = 0; ; n++) {
      try {
        spent.requests++;
        return await this.#attempt(body, limits);
      } catch (error) {
        deadline.signal.throwIfAborted();
        if (!(error instanceof LanguageModelError) || !error.retryable) throw error;
        const waitMs = backoffMs(n, error);
        if (n + 1 >= this.#settings.attempts || waitMs >= deadline.remainingMs()) throw error;
        this.#dependencies.log.debug(
          { code: error.code, wait_ms: Math.round(waitMs) },
          'language model asked again',
        );
        await pause(deadline, waitMs);
      }
    }
  }

  async #question(
    request: ChatRequest,
    body: Record<string, unknown>,
    limits: TimeLimits,
  ): Promise<ChatAnswer> {
    const spent: Spent = { requests: 0, promptTokens: 0, completionTokens: 0 };
    const startedAt = performance.now();
    const estimated = estimatedTokens(request);
    let outcome: LanguageModelObservation['outcome'] = 'ok';
    try {
      await this.#budget.take(estimated, limits.deadline);
      const answer = await this.#attempts(body, limits, spent).catch((error: unknown) => {
        // An unreachable model used no tokens: refund the budget.
        if (hasUsedNothing(error)) this.#budget.settle(estimated, 0);
        throw error;
      });
      spent.promptTokens = answer.promptTokens;
      spent.completionTokens = answer.completionTokens;
      this.#budget.settle(estimated, answer.promptTokens + answer.completionTokens || estimated);
      return answer;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.#usage.add({ outcome, ms: performance.now() - startedAt, ...spent });
    }
  }

  /** A shared request does not end with its first caller: others may wait for it. */
  async #fly(
    request: ChatRequest,
    body: Record<string, unknown>,
    { deadline, attemptTimeoutMs }: TimeLimits,
  ): Promise<ChatAnswer> {
    using own = startDeadline(deadline.remainingMs());
    return await this.#question(request, body, { deadline: own, attemptTimeoutMs });
  }

  async #shared(
    key: string,
    request: ChatRequest,
    { body, limits }: { body: Record<string, unknown>; limits: TimeLimits },
  ): Promise<ChatAnswer> {
    const { deadline } = limits;
    const startedAt = performance.now();
    for (;;) {
      const there = this.#flights.get(key);
      const flight = there ?? this.#fly(request, body, limits).finally(() => this.#flights.delete(key));
      if (there === undefined) {
        this.#flights.set(key, flight);
        flight.catch(() => undefined);
      }
      try {
        const answer = await before(deadline, flight);
        if (there !== undefined)
          this.#usage.add({
            outcome: 'ok',
            ms: performance.now() - startedAt,
            requests: 0,
            promptTokens: 0,
            completionTokens: 0,
          });
        return answer;
      } catch (error) {
        // Another caller's deadline, not ours: retry or join another request.
        const isOthers = there !== undefined && outcomeOf(error) === 'llm_timeout';
        if (!isOthers || deadline.signal.aborted) throw error;
      }
    }
  }
}

const hasUsedNothing = (error: unknown): boolean =>
  error instanceof LanguageModelError && error.code === 'llm_unavailable';

/** An overload response shows that the model is up; a very short deadline shows nothing. */
const isSignOfDowntime = (error: unknown, hadTime: boolean): boolean =>
  error instanceof LanguageModelError &&
  (error.code === 'llm_timeout' ? hadTime : error.retryable && error.retryAfterMs === undefined);
