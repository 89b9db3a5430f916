import { forbidden } from '#base/errors.ts';
import { isLoopback } from '#base/http/listen.ts';
import type { IncomingHttpHeaders } from 'node:http';

const hostnameOf = (authority: string): string | undefined => {
  const url = `http://${authority}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;
};

/**
 * On an address of this machine, a page of a browser must not get through by a name that leads here (DNS rebinding):
 * `Host` and `Origin` must be this machine, or the address that the operator has made public.
 * @returns a check that throws AppError 403.
 */
export function originCheck(
  listensOn: string,
  publicUrl: string | undefined,
): (headers: IncomingHttpHeaders) => void {
  if (!isLoopback(listensOn)) return () => undefined;
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const known = (hostname: string | undefined) =>
    hostname !== undefined && (isLoopback(hostname) || hostname === ours);
  return ({ host, origin }) => {
    if (host !== undefined && !known(hostnameOf(host)))
      throw forbidden(
        'The header Host names another machine. Reach this gateway as localhost, or set agent_gateway.public_url.',
      );
    if (origin === undefined) return;
    const hostname = URL.canParse(origin) ? new URL(origin).hostname.replace(/^\[|\]$/g, '') : undefined;
    if (!known(hostname)) throw forbidden('Pages of this origin may not call the gateway.');
  };
}
