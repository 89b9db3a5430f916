import { forbidden } from '#base/errors.ts';
import { hostnameOf, isLoopback, namesThisMachine } from '#base/http/listen.ts';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Protects services on loopback addresses against DNS rebinding: `Host` and `Origin` must be this machine or the
 * configured public URL.
 * @returns a check that throws AppError 403.
 */
export function originCheck(
  listensOn: string,
  publicUrl: string | undefined,
): (headers: IncomingHttpHeaders) => void {
  if (!isLoopback(listensOn)) return () => undefined;
  const ours = publicUrl === undefined ? undefined : hostnameOf(new URL(publicUrl).host);
  const known = (authority: string) =>
    namesThisMachine(authority) || (ours !== undefined && hostnameOf(authority) === ours);
  // Clients send the same one again and again: what is known of the last is not read anew.
  let allowed: string | undefined;
  return ({ host, origin }) => {
    if (host !== undefined && host !== allowed && !known(host))
      throw forbidden(
        'The header Host names another machine. Reach this gateway as localhost, or set agent_gateway.public_url.',
      );
    allowed = host;
    if (origin === undefined) return;
    if (!URL.canParse(origin) || !known(new URL(origin).host))
      throw forbidden('Pages of this origin may not call the gateway.');
  };
}
