import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { hostnameOf, isLoopback, namesThisMachine } from '#base/http/listen.ts';

const forbidden = (detail: string) => new AppError(403, 'cross_site', detail);

export interface OwnSite {
  /** The address that the server listens on. */
  readonly listensOn: string;
  /** The public URL, if it is behind a proxy. */
  readonly publicUrl: string | undefined;
}

interface Asked {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Refuses requests of other sites' pages (CSRF) and, on loopback addresses, foreign host names
 * (DNS rebinding). Following a link from another site is allowed.
 * @throws AppError 403
 */
export function refuseOtherSites({ method, headers }: Asked, ownSite: OwnSite): void {
  const { origin, host = '' } = headers;
  if (!isOwnName(host, ownSite))
    throw forbidden(
      `This server accepts requests for localhost only, not for ${host.slice(0, 100)}. Behind a proxy, set dashboard.public_url.`,
    );
  if (!isFromOwnPage(headers) && !isFollowedLink(method, headers))
    throw forbidden('The request comes from a page of another site.');
  if (origin !== undefined && !isOwnOrigin(origin, host, ownSite))
    throw forbidden('The request comes from a page of another origin, or of none.');
}

const isOwnName = (host: string, { listensOn, publicUrl }: OwnSite): boolean =>
  !isLoopback(listensOn) ||
  namesThisMachine(host) ||
  (publicUrl !== undefined && hostnameOf(host) === hostnameOf(new URL(publicUrl).host));

function isFromOwnPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** A proxy may put its own name for us into `Host`. */
function isOwnOrigin(origin: string, host: string, { publicUrl }: OwnSite): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host || (publicUrl !== undefined && from.origin === new URL(publicUrl).origin);
}

/** A top-level navigation: the linking page cannot read the response. */
const isFollowedLink = (method: string | undefined, headers: IncomingHttpHeaders): boolean =>
  (method ?? 'GET') === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';
