/** One request to the server; maps every failure to a LanguageModelError. */
import { Agent, request } from 'undici';
import type { Deadline } from './deadline.ts';
import {
  type LanguageModelError,
  LanguageModelError as Failure,
  llmMalformed,
  llmUnavailable,
} from './failures.ts';
import { readRetryAfter, rejectedParameter } from './server-words.ts';
import type { LanguageModelSettings } from './settings.ts';

export interface ChatTransport extends AsyncDisposable {
  /**
   * Posts to `chat/completions`; returns the text of a 200 response. Throws LanguageModelError, or the caller's abort
   * reason.
   */
  post(body: unknown, deadline: Deadline): Promise<string>;
}

const longestAnswerBytes = 8 * 1024 * 1024;

export function openChatTransport({ baseUrl, apiKey, maxConcurrent }: LanguageModelSettings): ChatTransport {
  const agent = new Agent({ connections: maxConcurrent, pipelining: 1 });
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
  return {
    async post(body, deadline) {
      try {
        const answer = await request(url, {
          method: 'POST',
          dispatcher: agent,
          signal: deadline.signal,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
          },
          body: JSON.stringify(body),
        });
        const text = await readAtMost(answer.body, longestAnswerBytes);
        if (answer.statusCode === 200) return text;
        throw failureOf(answer.statusCode, answer.headers['retry-after'], text);
      } catch (cause) {
        deadline.signal.throwIfAborted();
        if (cause instanceof Failure) throw cause;
        throw llmUnavailable('The language model’s server cannot be reached, or closed the connection.', {
          cause,
          retryable: true,
        });
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

async function readAtMost(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > limitBytes)
      throw llmMalformed(`The language model’s server answered with more than ${limitBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const hints: Record<number, string> = {
  401: ': check BULWARK_LLM_API_KEY',
  403: ': check BULWARK_LLM_API_KEY',
  404: ': check BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL',
};

const retryable = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function failureOf(
  status: number,
  retryAfter: string | string[] | undefined,
  body: string,
): LanguageModelError {
  return llmUnavailable(`The language model’s server answered ${status}${hints[status] ?? ''}.`, {
    retryable: retryable(status),
    retryAfterMs: readRetryAfter(retryAfter),
    rejected: status === 400 || status === 422 ? rejectedParameter(body) : undefined,
  });
}
