/** Fetches what clients publish about themselves, on the one way out for users' URLs. */
import { readLimited, type Outbound } from '#base/net/outbound.ts';
import { metadataProblem, normalizedMetadata } from './client-metadata.ts';

/** As oidc-provider calls it: for documents of clients (by their id, an https URL) and their keys. */
export type FetchForClients = (url: string | URL | Request, options?: RequestInit) => Promise<Response>;

const limitBytes = 64 * 1024;
/** Instead of the 2.5 s of oidc-provider, within which a busy machine may not answer. */
const timeoutMs = 10_000;
const passed = ['content-type', 'cache-control', 'expires'];

/** A document of a client itself, brought to the form that registration has; keys stay as they are. */
function normalized(text: string): string {
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null || !('redirect_uris' in document)) return text;
  const metadata = document as Record<string, unknown>;
  const problem = metadataProblem(metadata);
  if (problem !== undefined) throw new Error(`the document is refused: ${problem}`);
  return JSON.stringify(normalizedMetadata({ token_endpoint_auth_method: 'none', ...metadata }));
}

/** Private addresses are refused as the deployment says, redirects are not followed, time and size have bounds. */
export const createFetchForClients =
  (outbound: Outbound): FetchForClients =>
  async (url) => {
    const answer = await outbound.request(url instanceof Request ? url.url : String(url), {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      headTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
    });
    if (answer.status !== 200) {
      answer.body.destroy();
      return new Response(null, { status: answer.status < 200 || answer.status > 599 ? 502 : answer.status });
    }
    const text = normalized(await readLimited(answer.body, limitBytes));
    const headers = Object.entries(answer.headers).filter(
      (header): header is [string, string] => passed.includes(header[0]) && typeof header[1] === 'string',
    );
    return new Response(text, { status: 200, headers });
  };
