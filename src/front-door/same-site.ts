import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { hostnameOf, isLoopback, namesThisMachine } from '#base/http/listen.ts';

const forbidden = (detail: string) => new AppError(403, 'cross_site', detail);

export interface OwnSite {
  /** The address that the server listens on. */
  readonly listensOn: string;
  /** Where people reach it, where that is behind a proxy. */
  readonly publicUrl: string | undefined;
}

/**
 * Refuses what a page of another site sends, and, on an address that only this machine reaches, names that a foreign
 * site made point here (DNS rebinding). A link that somebody follows is no request of the page that it stands on.
 * @throws AppError 403
 */
export function refuseOtherSites(
  { method = 'GET', headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  { listensOn, publicUrl }: OwnSite,
): void {
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (isLoopback(listensOn)) refuseOtherNames(headers, ours);
  const site = headers['sec-fetch-site'] ?? 'none';
  if (site !== 'same-origin' && site !== 'none' && !isFollowedLink(method, headers))
    throw forbidden('The request comes from a page of another site.');
  refuseOtherOrigins(headers, ours);
}

function refuseOtherNames({ host = '' }: IncomingHttpHeaders, ours: URL | undefined): void {
  const isOurs = ours !== undefined && hostnameOf(host) === hostnameOf(ours.host);
  if (!isOurs && !namesThisMachine(host))
    throw forbidden(
      `This server answers to localhost alone, not to ${host.slice(0, 100)}. Behind a proxy, set dashboard.public_url.`,
    );
}

function refuseOtherOrigins({ host, origin }: IncomingHttpHeaders, ours: URL | undefined): void {
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  // A proxy may put its own name for us into `Host`.
  if (from === undefined || (from.host !== host && from.origin !== ours?.origin))
    throw forbidden('The request comes from a page of another origin, or of none.');
}

/** A page that is opened as a whole: who linked to it sees nothing of it. */
const isFollowedLink = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
