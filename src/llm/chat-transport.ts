/** One request to the server, and every way in which it can fail as a failure of ours. */
import { Agent, request } from 'undici';
import type { Deadline } from './deadline.ts';
import {
  type LanguageModelError,
  LanguageModelError as Failure,
  llmMalformed,
  llmUnavailable,
} from './failures.ts';
import type { LanguageModelSettings } from './settings.ts';

export interface ChatTransport extends AsyncDisposable {
  /** Posts to `chat/completions`; the text of a 200 answer. Throws LanguageModelError, or the caller's reason. */
  post(body: unknown, deadline: Deadline): Promise<string>;
}

const longestAnswerBytes = 8 * 1024 * 1024;

/** Parameters that servers are known to refuse, the more special name first. */
const parameters = [
  'max_completion_tokens',
  'max_tokens',
  'top_logprobs',
  'logprobs',
  'temperature',
  'response_format',
] as const;

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
        throw llmUnavailable('The language model’s server cannot be reached, or it broke off.', {
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

/** Seconds, or a date. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}

/** What the server says it does not take: its `param`, else the first parameter that its message names. */
function rejectedParameter(body: string): string | undefined {
  const param = /"param"\s*:\s*"([\w.]+)/.exec(body)?.[1]?.split('.')[0];
  const known = parameters.find((name) => name === param);
  if (known !== undefined) return known;
  const first = parameters
    .map((name) => ({ name, at: body.search(new RegExp(`\\b${name}\\b`)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  return first?.name;
}
