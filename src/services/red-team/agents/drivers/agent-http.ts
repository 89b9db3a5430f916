import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { startDeadline } from '#llm/deadline.ts';
import { AgentError, type AgentTask } from './driver.ts';

/** Where and how an agent takes requests. */
export interface AgentAddress {
  endpoint: string;
  apiKey?: string | undefined;
  headers?: Record<string, string> | undefined;
  timeoutMs: number;
}

/** An answer of an agent. */
export interface AgentAnswer {
  contentType: string;
  text: string;
}

const longestAnswer = 8 * 1024 * 1024;
const attempts = 3;
const pauseMs = 300;
const shownCharacters = 300;

/**
 * Requests to agents. Only a request that never reached the agent is sent again: a repeated prompt would be a second
 * attack.
 */
export class AgentHttp {
  readonly #outbound: Outbound;
  readonly #address: AgentAddress;

  constructor(outbound: Outbound, address: AgentAddress) {
    this.#outbound = outbound;
    this.#address = address;
  }

  /**
   * Sends JSON, with the address of the task in headers for agents that can use it.
   * @throws AgentError
   */
  async post(
    body: unknown,
    task: Pick<AgentTask, 'mcpUrl' | 'sessionId' | 'sessionKey' | 'signal'>,
  ): Promise<AgentAnswer> {
    // Let go once the answer is there: `AbortSignal.timeout` would be kept until its time is over.
    using deadline = startDeadline(this.#address.timeoutMs, task.signal);
    const { signal } = deadline;
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(this.#address.apiKey && { authorization: `Bearer ${this.#address.apiKey}` }),
      ...this.#address.headers,
      'x-redteam-mcp-url': task.mcpUrl,
      'x-redteam-session': task.sessionKey,
    };
    try {
      return await this.#send(JSON.stringify(body), headers, signal);
    } catch (error) {
      task.signal.throwIfAborted();
      if (signal.aborted)
        throw new AgentError(
          `The agent did not answer within ${Math.round(this.#address.timeoutMs / 1000)} seconds.`,
        );
      throw error;
    }
  }

  /** @throws AgentError if the answer is not JSON */
  async postForJson(body: unknown, task: AgentTask): Promise<unknown> {
    const { text, contentType } = await this.post(body, task);
    try {
      return JSON.parse(text);
    } catch {
      throw new AgentError(
        `The agent answered ${contentType || 'something'} that is not JSON: ${beginning(text)}`,
      );
    }
  }

  async #send(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<AgentAnswer> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const answer = await this.#outbound.request(this.#address.endpoint, {
          method: 'POST',
          headers,
          body,
          signal,
          headTimeoutMs: 0,
          idleTimeoutMs: 0,
        });
        const text = await limitedText(answer.body);
        const { location } = answer.headers;
        if (answer.status >= 300 && answer.status < 400)
          throw new AgentError(redirection(answer.status, location));
        if (answer.status >= 400) throw new AgentError(refusal(answer.status, text));
        return { contentType: String(answer.headers['content-type'] ?? ''), text };
      } catch (error) {
        if (attempt === attempts || !neverArrived(error)) throw asAgentError(error);
        await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
      }
  }
}

/** Reads a body as text. @throws AgentError if it is too long */
async function limitedText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > longestAnswer) throw new AgentError('The answer of the agent is longer than 8 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The system's reasons for which a connection was not made. */
const connectErrors = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
]);

/** The system's reasons for which a connection ended before its answer. */
const brokenErrors = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1)
    if (codes.has((each as NodeJS.ErrnoException).code ?? '')) return true;
  return false;
}

const neverArrived = (error: unknown): boolean => hasCode(error, connectErrors);

function asAgentError(error: unknown): unknown {
  if (error instanceof AgentError) return error;
  const isKnown = error instanceof AppError && !hasCode(error, brokenErrors);
  const message = isKnown
    ? error.detail
    : 'The agent broke off the connection before its reply was complete.';
  return new AgentError(message, { cause: error, neverArrived: neverArrived(error) });
}

const redirection = (status: number, location: unknown): string =>
  `The agent answered ${status}: it redirects${typeof location === 'string' ? ` to ${beginning(location)}` : ''}. Give the address that takes the requests itself.`;

function refusal(status: number, text: string): string {
  const advice: Record<number, string> = {
    401: 'Check the API key of the agent.',
    403: 'Check the API key of the agent and its rights.',
    404: 'Check the path of the endpoint.',
    429: 'The agent limits requests: lower the concurrency.',
  };
  return `The agent answered ${status}: ${beginning(text)} ${advice[status] ?? ''}`.trim();
}

function beginning(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line || '(an empty body)';
}

/** Reads a field of a nested answer: `choices.0.message.content`. */
export function readPath(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) =>
        at !== null && typeof at === 'object' && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      value,
    );
}

/** @throws AgentError if there is no text */
export function textAt(answer: unknown, path: string): string {
  const value = readPath(answer, path);
  if (typeof value === 'string') return value;
  throw new AgentError(`The agent’s answer has no text at ${path}: ${beginning(JSON.stringify(answer))}`);
}
