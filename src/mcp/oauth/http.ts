/** HTTP for OAuth requests to other servers: SSRF protection, size and time limits, TLS required. */
import { AppError } from '#base/errors.ts';
import { isLoopback } from '#base/http/listen.ts';
import { readLimited, type Outbound } from '#base/net/outbound.ts';

export type OAuthFetch = (url: string, init: OAuthRequest) => Promise<Response>;

/** The fetch signature that the OAuth library expects. */
export interface OAuthRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const timeoutMs = 10_000;
const limitBytes = 256 * 1024;

const refused = (detail: string) => new AppError(502, 'authorization_failed', detail);

/** Whether secrets may be sent to the address: only over TLS, except to this machine. */
export function isSafeAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  const isLocal = protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return (protocol === 'https:' || isLocal) && username === '' && password === '';
}

/**
 * Checks an address that another server named: TLS is required except to this machine.
 * @throws AppError 502
 */
export function assertSafe(url: unknown, what: string): string {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) throw refused(`The authorization server names no usable ${what}.`);
  if (!isSafeAddress(parsed.href))
    throw refused(`The ${what} ${parsed.href.slice(0, 200)} must be an https:// address.`);
  return parsed.href;
}

const bodyOf = (body: unknown): string | undefined =>
  body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;

/** Redirects are not followed, large and slow responses are cut off, private addresses are refused. */
export const oauthFetch =
  (outbound: Outbound): OAuthFetch =>
  async (url, { method, headers, body, signal }) => {
    assertSafe(url, 'address');
    const text = bodyOf(body);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await outbound.request(url, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(text !== undefined && { body: text }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const content = await readLimited(answer.body, limitBytes);
      const hasBody = ![204, 205, 304].includes(answer.status);
      const known = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
      );
      return new Response(hasBody ? content : null, { status: answer.status, headers: known });
    } catch (error) {
      if (timeout.aborted)
        throw new AppError(504, 'timed_out', `${new URL(url).origin} did not answer in time.`, {
          cause: error,
        });
      throw error;
    }
  };
