import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { isLoopback } from '#base/http/listen.ts';

const forbidden = (detail: string) => new AppError(403, 'cross_site', detail);

const hostOf = (header: string) => {
  try {
    return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return '';
  }
};

/**
 * Refuses what a page of another site sends, and, on an address that only this machine reaches, names that a foreign
 * site made point here (DNS rebinding).
 * @param listensOn the address that the server listens on
 * @throws AppError 403
 */
export function refuseOtherSites(headers: IncomingHttpHeaders, listensOn: string): void {
  const { origin, host = '' } = headers;
  if (isLoopback(listensOn) && !isLoopback(hostOf(host)))
    throw forbidden(`This server answers to localhost alone, not to ${host.slice(0, 100)}.`);
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('The request comes from a page of another site.');
  if (origin !== undefined && origin !== 'null' && hostAndPort(origin) !== host)
    throw forbidden('The request comes from a page of another origin.');
  if (origin === 'null') throw forbidden('The request comes from a page without an origin.');
}

const hostAndPort = (origin: string) => {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
};
