import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import { type OutboundRequest, readLimited } from '#base/net/outbound.ts';
import type { Access } from './source.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: Fields;
}

export interface Question extends Pick<OutboundRequest, 'method' | 'headers'> {
  /** Sent as JSON, or as a form. */
  readonly body?: object | URLSearchParams;
  /** Statuses beside 200 and 201 that are an answer. */
  readonly accepts?: readonly number[];
  /** What to check where it is refused, such as the permission. */
  readonly needs?: string;
}

const answerLimitBytes = 128 * 1024 * 1024;
const answerTimeoutMs = 200_000;
/** A wait that a source asks for is kept in place up to so long, and so many times; longer ones end the poll. */
const longestWaitMs = 15_000;
const mostWaits = 4;

export const bad = (detail: string, cause?: unknown) =>
  new AppError(502, 'upstream_failed', detail, { cause });

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** A field as text; numbers too, undefined where it is missing or empty. */
export function textOf(row: Fields, name: string): string | undefined {
  const value = row[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The first of the fields that is there. */
export const anyText = (row: Fields, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const found = textOf(row, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Asks a source, and keeps its clock. */
export interface SourceClient {
  /** @throws AppError 429 with Retry-After, 502 or 504; it says what was refused, and nothing of what was sent */
  ask(url: string, question: Question): Promise<Answer>;
  readonly skewMs: () => number;
  /** Waits, unless the poll ends. */
  pause(ms: number): Promise<void>;
}

export function createSourceClient({ outbound, signal, clock }: Access): SourceClient {
  let skewMs = 0;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).then(() => undefined);
  const once = async (url: string, { method = 'GET', headers = {}, body }: Question): Promise<Answer> => {
    const sent =
      body === undefined
        ? {}
        : body instanceof URLSearchParams
          ? { body: body.toString(), type: 'application/x-www-form-urlencoded' }
          : { body: JSON.stringify(body), type: 'application/json' };
    const answer = await outbound.exchange(
      url,
      {
        method,
        headers: {
          accept: 'application/json',
          ...('type' in sent && { 'content-type': sent.type }),
          ...headers,
        },
        ...('body' in sent && { body: sent.body }),
        signal,
        headTimeoutMs: answerTimeoutMs,
        idleTimeoutMs: answerTimeoutMs,
      },
      answerLimitBytes,
    );
    const { date } = answer.headers;
    const theirsMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    // The header has whole seconds.
    if (Number.isFinite(theirsMs))
      skewMs = Math.abs(theirsMs - clock.now()) < 2000 ? 0 : theirsMs - clock.now();
    const text = 'text' in answer ? answer.text : await readLimited(answer.body, answerLimitBytes);
    return { status: answer.status, headers: answer.headers, json: parsed(url, answer.status, text) };
  };
  /** A source that is started anew breaks connections off; questions change nothing there, and can be asked again. */
  const again = async (ask: () => Promise<Answer>): Promise<Answer> => {
    for (const waitMs of [100, 400]) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unreachable') throw error;
        await pause(waitMs);
      }
    }
    return ask();
  };
  return {
    pause,
    skewMs: () => skewMs,
    async ask(url, question) {
      for (let waits = 0; ; waits += 1) {
        const answer = await again(() => once(url, question));
        const { status } = answer;
        if (status === 200 || status === 201 || question.accepts?.includes(status) === true) return answer;
        const waitMs = status === 429 ? waitOf(answer) : undefined;
        if (waitMs === undefined || waitMs > longestWaitMs || waits >= mostWaits)
          throw refusal(url, answer, question.needs);
        await pause(waitMs);
      }
    },
  };
}

/** How long a source asks to wait; some say nothing. */
function waitOf({ headers }: Answer): number {
  const given = headers['retry-after'];
  if (typeof given !== 'string') return 60_000;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds) * 1000;
  const untilMs = Date.parse(given) - Date.parse(String(headers['date'] ?? ''));
  return Number.isFinite(untilMs) ? Math.max(0, untilMs) : 60_000;
}

function parsed(url: string, status: number, text: string): Fields {
  try {
    return text === '' ? {} : fieldsOf(JSON.parse(text));
  } catch (cause) {
    if (status >= 400) return {};
    throw bad(`${new URL(url).origin} answered with broken JSON.`, cause);
  }
}

function refusal(url: string, answer: Answer, needs = 'the credentials'): AppError {
  const { origin } = new URL(url);
  const { status } = answer;
  if (status === 429)
    return new AppError(429, 'too_many_requests', `${origin} asks to wait: too many requests.`, {
      headers: { 'retry-after': String(Math.ceil(waitOf(answer) / 1000)) },
    });
  if (status === 400 || status === 401 || status === 403)
    return new AppError(502, `upstream_${status}`, `${origin} answered ${status}: check ${needs}.`);
  return new AppError(502, `upstream_${status}`, `${origin} answered ${status}.`);
}

interface Token {
  readonly value: string;
  readonly expiresMs: number;
}

/** A source that was started anew has forgotten its tokens, perhaps twice in a row. */
const mostRenewals = 2;

/** Signs in; asks with an access token then, which is renewed before it expires, and where it is refused. */
export async function withToken(
  { clock }: Access,
  client: SourceClient,
  fetchToken: () => Promise<{ value: string; lifeSeconds: number }>,
): Promise<(url: string, question: Question) => Promise<Answer>> {
  let token: Token | undefined;
  const current = async (): Promise<string> => {
    if (token === undefined || token.expiresMs <= clock.now()) {
      const { value, lifeSeconds } = await fetchToken();
      token = { value, expiresMs: clock.now() + Math.max(0, lifeSeconds - 60) * 1000 };
    }
    return token.value;
  };
  await current();
  return async (url, question) => {
    for (let renewals = 0; ; renewals += 1) {
      const isLast = renewals === mostRenewals;
      const answer = await client.ask(url, {
        ...question,
        headers: { ...question.headers, authorization: `Bearer ${await current()}` },
        accepts: [...(question.accepts ?? []), ...(isLast ? [] : [401])],
      });
      if (answer.status !== 401) return answer;
      token = undefined;
    }
  };
}

/** Fetches a token by client credentials. */
export async function clientCredentials(
  client: SourceClient,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<{ value: string; lifeSeconds: number }> {
  const { json } = await client.ask(url, { method: 'POST', body: new URLSearchParams(form) });
  const value = textOf(json, 'access_token');
  if (value === undefined) throw bad(`${new URL(url).origin} answered without an access token.`);
  return { value, lifeSeconds: Number(json['expires_in'] ?? 1800) };
}
