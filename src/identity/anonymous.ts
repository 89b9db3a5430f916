import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { namesThisMachine } from '#base/http/listen.ts';

/**
 * If authentication is off, everyone who can connect is an administrator: refuses requests that a page of
 * another site sends with a browser on this machine, also by DNS rebinding.
 * @throws AppError 403
 */
export function refusePagesOfOthers(headers: IncomingHttpHeaders): void {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOurs =
    (host === undefined || namesThisMachine(host)) &&
    (origin === undefined || (URL.canParse(origin) && namesThisMachine(new URL(origin).host))) &&
    (site === undefined || site === 'same-origin' || site === 'none');
  if (!isOurs)
    throw new AppError(
      403,
      'cross_site',
      'Authentication is off, so this server only accepts programs and pages of this machine. Enable authentication ' +
        '(BULWARK_AUTH_ENABLED=true), or accept the risk with BULWARK_INSECURE_PUBLIC=true.',
    );
}
