import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { namesThisMachine } from '#base/http/listen.ts';

/**
 * Where authentication is off, whoever reaches this machine's own address is an administrator: refuses what a page of
 * another site sends with a browser of this machine, also by a name that it made point here (DNS rebinding).
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
      'Authentication is off, so this server answers to programs and pages of this machine alone. Switch it on ' +
        '(BULWARK_AUTH_ENABLED=true), or accept the risk with BULWARK_INSECURE_PUBLIC=true.',
    );
}
