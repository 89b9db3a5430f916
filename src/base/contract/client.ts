import { AppError } from '../errors.ts';
import type { Operation, Operations, Received, Sent } from './operation.ts';

/** One method per operation, with the operation's name. */
export type Client<Ops extends Operations> = {
  [K in keyof Ops]: (
    ...args: object extends Sent<Ops[K]> ? [input?: Sent<Ops[K]>] : [input: Sent<Ops[K]>]
  ) => Promise<Received<Ops[K]>>;
};

export interface ClientOptions {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Called before each call, so that a refreshed token is used at once. */
  headers?: () => Record<string, string>;
  /** Replaces the global fetch, for callers that renew their credentials. */
  fetch?: typeof fetch;
  /** Timeout in milliseconds; default: 30,000. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

/**
 * What a client needs of an operation. The dashboard's build leaves the schemas out, and then nothing is validated here:
 * the services check what they answer.
 */
type Route = Pick<Operation, 'method' | 'path' | 'form' | 'lines' | 'rows' | 'contentType'> & {
  readonly body?: unknown;
  readonly response?: Operation['response'];
};

type Scalar = string | number | boolean;
type Parts = {
  params?: Record<string, Scalar>;
  query?: Record<string, Scalar | readonly Scalar[] | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
};

function urlOf(baseUrl: string, operation: Route, { params = {}, query = {} }: Parts): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value ?? []].flat()) search.append(name, String(each));
  }
  return `${baseUrl}${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

function detailOf(text: string): string {
  try {
    const body = JSON.parse(text) as { detail?: unknown; error?: { message?: unknown } };
    const detail = body.detail ?? body.error?.message;
    if (typeof detail === 'string') return detail;
  } catch {
    // Not JSON: use the text itself.
  }
  return text.slice(0, 300) || 'The service gave no reason.';
}

function bodyOf(operation: Route, body: unknown): string | FormData {
  if (operation.lines || operation.rows)
    return (body as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join('');
  if (!operation.form) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, unknown>))
    for (const each of [value ?? []].flat())
      form.append(name, each instanceof Blob ? each : String(each as Scalar));
  return form;
}

async function call(operation: Route, input: Parts, options: ClientOptions): Promise<unknown> {
  const url = urlOf(options.baseUrl, operation, input);
  const headers = { ...options.headers?.(), ...input.headers };
  if (operation.body !== undefined && !operation.form)
    headers['content-type'] = operation.lines || operation.rows ? 'application/x-ndjson' : 'application/json';
  const { baseUrl, timeoutMs = defaultTimeoutMs, fetch: send = fetch } = options;
  const gone = (cause: unknown): never => {
    throw failureOf(cause, baseUrl, timeoutMs);
  };
  const response = await send(url, {
    method: operation.method,
    headers,
    ...(operation.body === undefined ? {} : { body: bodyOf(operation, input.body ?? {}) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(gone);
  if (!response.ok) throw await refusalOf(response).catch(gone);
  const text = await response.text().catch(gone);
  return answerOf(operation, text, baseUrl);
}

function failureOf(cause: unknown, baseUrl: string, timeoutMs: number): AppError {
  return cause instanceof DOMException && cause.name === 'TimeoutError'
    ? new AppError(504, 'timed_out', `${baseUrl} did not answer within ${timeoutMs / 1000} s.`, { cause })
    : new AppError(503, 'unreachable', `${baseUrl} cannot be reached. Is the service running there?`, {
        cause,
      });
}

function answerOf({ method, path, contentType, response }: Route, text: string, baseUrl: string): unknown {
  try {
    const answer: unknown = contentType === undefined ? JSON.parse(text) : text;
    return response === undefined ? answer : response.parse(answer);
  } catch (cause) {
    const detail = `${baseUrl} answered ${method} ${path} in an unexpected form. Check that it is the right service, in the same version.`;
    throw new AppError(502, 'unexpected_answer', detail, { cause });
  }
}

/** The error a service responded with, including the request id to find in its log. */
export async function refusalOf(response: Response): Promise<AppError> {
  const requestId = response.headers.get('x-request-id');
  return new AppError(response.status, 'refused', detailOf(await response.text()), {
    headers: requestId === null ? {} : { 'x-request-id': requestId },
  });
}

/**
 * Creates a typed client for a contract.
 * @throws AppError with the service's status and detail; 503 `unreachable` if nothing answers, 504 `timed_out` on
 * timeout, 502 `unexpected_answer` if the response does not match the contract.
 */
export function createClient<Ops extends Operations>(operations: Ops, options: ClientOptions): Client<Ops> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (input: Parts = {}) => call(operation, input, options),
    ]),
    // Both the methods and their type derive from the same operations.
  ) as unknown as Client<Ops>;
}
