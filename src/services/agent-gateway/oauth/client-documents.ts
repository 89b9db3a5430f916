/** Fetches client metadata documents and keys, with SSRF protection. */
import { readLimited, type Outbound } from '#base/net/outbound.ts';
import { metadataProblem, normalizedMetadata } from './client-metadata.ts';

/** The fetch function of oidc-provider, for client documents (the client id is an https URL) and client keys. */
export type FetchForClients = (url: string | URL | Request, options?: RequestInit) => Promise<Response>;

const limitBytes = 64 * 1024;
/** Instead of the 2.5 s of oidc-provider, within which a busy machine may not answer. */
const timeoutMs = 10_000;
const passed = ['content-type', 'cache-control', 'expires'];

/** Converts a client metadata document to registration format; key documents are returned unchanged. */
function normalized(text: string): string {
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null || !('redirect_uris' in document)) return text;
  const metadata = document as Record<string, unknown>;
  const problem = metadataProblem(metadata);
  if (problem !== undefined) throw new Error(`the document is refused: ${problem}`);
  return JSON.stringify(normalizedMetadata({ token_endpoint_auth_method: 'none', ...metadata }));
}

/** Private addresses follow the deployment's settings, redirects are refused, time and size are limited. */
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
