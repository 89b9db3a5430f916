/**
 * A model or agent under test. It is an untrusted server: requests use the SSRF protection, its key is
 * the user's, and its output is evidence. The judging language model is separate (`../language-model.ts`):
 * no code path mixes the two.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Clock } from '#base/clock.ts';
import { Secret } from '#base/config/secret.ts';
import { AppError, invalid } from '#base/errors.ts';
import { type Outbound, readLimited } from '#base/net/outbound.ts';
import { startDeadline } from '../deadline.ts';
import { readRetryAfter, rejectedParameter } from '../server-words.ts';
import { type TargetFailure, TargetError } from './failures.ts';
import { type Pace, Pacer, realSleep, type Sleep } from './pacing.ts';

export interface TargetSettings extends Pace {
  /** Where requests are posted to. */
  readonly url: string;
  /** Sent with each request; what is secret comes as a {@link Secret}. */
  readonly headers?: Readonly<Record<string, string | Secret>>;
  /** Timeout of one request with its response. */
  readonly timeoutMs: number;
  /** Requests for one answer at most, the first among them; default 5. */
  readonly attempts?: number;
  /** Longest accepted Retry-After, beyond which the request fails; default 120,000. */
  readonly patienceMs?: number;
  /** Of one response; default 8 MiB. */
  readonly limitBytes?: number;
  /** Of all requests together; a request that would begin beyond it fails with `target_budget_spent`. */
  readonly budget?: TargetBudget;
}

export interface TargetBudget {
  readonly requests?: number | undefined;
  /** Tokens of prompts and replies as the target counts them. */
  readonly tokens?: number | undefined;
}

/** What was used, by all or by one owner. */
export interface TargetUsage {
  readonly requests: number;
  readonly answers: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface TargetAnswer {
  /** Parsed JSON of a response with a status of 200 to 299. */
  readonly json: unknown;
  /** Requests that it took. */
  readonly requests: number;
  /** Of the last of them. */
  readonly latencyMs: number;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whose usage it is: a scan, a run. */
  readonly owner?: string;
  /** Once aborted no request begins any more; one that is under way is still awaited. */
  readonly dispatch?: AbortSignal | undefined;
  /** Maximum number of requests for this reply; default: the target's setting. */
  readonly attempts?: number | undefined;
}

export interface TargetDependencies {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly sleep?: Sleep;
}

const unused: TargetUsage = {
  requests: 0,
  answers: 0,
  promptTokens: 0,
  completionTokens: 0,
  sentBytes: 0,
  receivedBytes: 0,
};

const plus = (one: TargetUsage, other: Partial<TargetUsage>): TargetUsage => ({
  requests: one.requests + (other.requests ?? 0),
  answers: one.answers + (other.answers ?? 0),
  promptTokens: one.promptTokens + (other.promptTokens ?? 0),
  completionTokens: one.completionTokens + (other.completionTokens ?? 0),
  sentBytes: one.sentBytes + (other.sentBytes ?? 0),
  receivedBytes: one.receivedBytes + (other.receivedBytes ?? 0),
});

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** Maximum owners whose usage is kept; the oldest is dropped first. */
const maxOwners = 10_000;

/** @throws AppError 422 for a header that cannot be sent, or an address that is refused whatever its name resolves to */
export const openTarget = (settings: TargetSettings, dependencies: TargetDependencies): Target =>
  new Target(settings, dependencies);

export class Target {
  readonly #settings: TargetSettings;
  readonly #outbound: Outbound;
  readonly #pacer: Pacer;
  readonly #sleep: Sleep;
  readonly #usages = new Map<string, TargetUsage>();
  #total = unused;

  constructor(settings: TargetSettings, { outbound, clock, sleep = realSleep }: TargetDependencies) {
    outbound.assertAllowed(settings.url);
    assertHeaders(settings.headers);
    this.#settings = settings;
    this.#outbound = outbound;
    this.#sleep = sleep;
    this.#pacer = new Pacer(settings, clock, sleep);
  }

  /**
   * Posts JSON and returns JSON. Transient errors (broken connections, 408, 425, 429, 5xx) are retried, after
   * Retry-After; a timeout is not, because the target may have acted on the request.
   * @throws TargetError; the signal's reason
   */
  async post(body: unknown, options: AskOptions = {}): Promise<TargetAnswer> {
    const signal = options.signal ?? new AbortController().signal;
    const { dispatch } = options;
    const waiting = dispatch === undefined ? signal : AbortSignal.any([signal, dispatch]);
    const text = JSON.stringify(body);
    for (let requests = 1; ; requests++) {
      try {
        using _place = await this.#pacer.enter(waiting);
        return { ...(await this.#once(text, signal, options.owner)), requests };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TargetError)) throw error;
        error.requests = error.code === 'target_budget_spent' ? requests - 1 : requests;
        if (!this.#maySendAgain(error, options.attempts)) throw error;
        await this.#backOff(error, waiting);
      }
    }
  }

  /** Adds the tokens that a response reports in the format of its protocol. */
  countTokens(tokens: { promptTokens: number; completionTokens: number }, owner?: string): void {
    this.#add(tokens, owner);
  }

  /** Of one owner, or of all. */
  usage(owner?: string): TargetUsage {
    return owner === undefined ? this.#total : (this.#usages.get(owner) ?? unused);
  }

  async #once(
    text: string,
    signal: AbortSignal,
    owner: string | undefined,
  ): Promise<Omit<TargetAnswer, 'requests'>> {
    const { url, timeoutMs, limitBytes = 8 * 1024 * 1024 } = this.#settings;
    this.#refuseBeyondBudget();
    this.#add({ requests: 1, sentBytes: Buffer.byteLength(text) }, owner);
    const startedAt = performance.now();
    // `AbortSignal.timeout` would keep what belongs to each request until its time is over: 7 kB for minutes.
    using deadline = startDeadline(timeoutMs, signal);
    try {
      const answer = await this.#outbound.request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...revealed(this.#settings.headers),
        },
        body: text,
        signal: deadline.signal,
        headTimeoutMs: 0,
        idleTimeoutMs: 0,
      });
      const said = await readLimited(answer.body, limitBytes);
      this.#add({ receivedBytes: Buffer.byteLength(said) }, owner);
      const json = readAnswer(answer.status, answer.headers, said);
      this.#add({ answers: 1 }, owner);
      return { json, latencyMs: performance.now() - startedAt };
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.signal.aborted)
        throw new TargetError('target_timeout', `The target did not answer within ${timeoutMs} ms.`);
      throw failureOf(error);
    }
  }

  #maySendAgain({ retryable, retryAfterMs = 0, requests }: TargetError, most: number | undefined): boolean {
    const { attempts = 5, patienceMs = 120_000 } = this.#settings;
    return retryable && requests < (most ?? attempts) && retryAfterMs <= patienceMs;
  }

  /** Retry-After applies to all requests; otherwise each backs off separately. */
  async #backOff({ retryAfterMs, requests }: TargetError, signal: AbortSignal): Promise<void> {
    if (retryAfterMs === undefined) await this.#sleep(backoffMs(requests), signal);
    else this.#pacer.quiet(retryAfterMs);
  }

  #refuseBeyondBudget(): void {
    const { requests = Infinity, tokens = Infinity } = this.#settings.budget ?? {};
    const { requests: sent, promptTokens, completionTokens } = this.#total;
    if (sent >= requests)
      throw new TargetError('target_budget_spent', `The budget of ${requests} requests is spent.`);
    if (promptTokens + completionTokens >= tokens)
      throw new TargetError('target_budget_spent', `The budget of ${tokens} tokens is spent.`);
  }

  #add(used: Partial<TargetUsage>, owner: string | undefined): void {
    this.#total = plus(this.#total, used);
    if (owner === undefined) return;
    this.#usages.set(owner, plus(this.#usages.get(owner) ?? unused, used));
    if (this.#usages.size <= maxOwners) return;
    const [oldest] = this.#usages.keys();
    if (oldest !== undefined) this.#usages.delete(oldest);
  }
}

/** Connection headers, which would allow request smuggling. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
]);

/** @throws AppError 422 that names the header, and never shows its value */
function assertHeaders(headers: TargetSettings['headers']): void {
  for (const [name, value] of Object.entries(revealed(headers))) {
    if (ownHeaders.has(name))
      throw invalid(`The header ${name} cannot be set: it is controlled by the connection.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw invalid(
        `The header ${JSON.stringify(name.slice(0, 100))} has a name or a value that cannot be sent.`,
      );
    }
  }
}

/** Doubled with each failure up to half a minute, and not the same for all that failed together. */
const backoffMs = (requests: number): number =>
  Math.min(longestBackoffMs, firstBackoffMs * 2 ** (requests - 1)) * (0.5 + Math.random() / 2);

const revealed = (headers: TargetSettings['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value instanceof Secret ? value.reveal() : value,
    ]),
  );

const codeOf: Readonly<Record<string, TargetFailure>> = {
  forbidden_address: 'target_forbidden',
  invalid: 'target_forbidden',
  timed_out: 'target_timeout',
  too_large: 'target_unreadable',
};

function failureOf(error: unknown): unknown {
  if (error instanceof TargetError) return error;
  if (error instanceof AppError) {
    const code = codeOf[error.code] ?? 'target_unreachable';
    return new TargetError(code, error.detail, { cause: error, retryable: code === 'target_unreachable' });
  }
  // The connection broke while the response was read.
  return new TargetError('target_unreachable', 'The target broke off in the middle of its answer.', {
    cause: error,
    retryable: true,
  });
}

const hints: Readonly<Record<number, readonly [TargetFailure, string]>> = {
  401: ['target_unauthorized', 'check its key'],
  403: ['target_unauthorized', 'check what its key may do'],
  404: ['target_not_found', 'check the address and the name of the model'],
  405: ['target_not_found', 'check the address'],
};

const passing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;
const saidChars = 2000;

/** The JSON of a successful response. */
function readAnswer(status: number, headers: Headers, text: string): unknown {
  const said = text.slice(0, saidChars);
  if (status >= 200 && status < 300) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Without its cause: that would quote what the target wrote.
      throw new TargetError(
        'target_unreadable',
        `The target answered ${status} with ${kindOf(headers, text)}.`,
        {
          said,
          // A page stays a page; what was cut off may come whole.
          retryable: !isPage(headers, text),
        },
      );
    }
  }
  const [code, hint] = hints[status] ?? [passing(status) ? overloadOf(status) : 'target_rejected', undefined];
  throw new TargetError(code, `The target answered ${status}${hint === undefined ? '' : `: ${hint}`}.`, {
    said,
    retryable: passing(status),
    retryAfterMs: passing(status) ? readRetryAfter(headers['retry-after']) : undefined,
    rejected: status === 400 || status === 422 ? rejectedParameter(text) : undefined,
  });
}

const overloadOf = (status: number): TargetFailure =>
  status === 429 || status === 503 ? 'target_overloaded' : 'target_broken';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const typeOf = (headers: Headers): string => String(headers['content-type'] ?? '').toLowerCase();

const isPage = (headers: Headers, text: string): boolean =>
  typeOf(headers).startsWith('text/html') || /^\s*<(?:!doctype|html)/i.test(text);

function kindOf(headers: Headers, text: string): string {
  if (isPage(headers, text)) return 'a web page: check the address';
  if (typeOf(headers).startsWith('text/event-stream')) return 'an event stream, which was not requested';
  if (text.trim() === '') return 'nothing';
  return 'incomplete or invalid JSON';
}
