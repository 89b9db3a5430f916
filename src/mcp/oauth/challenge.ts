/** Parses a server's `WWW-Authenticate` challenge (RFC 6750, RFC 9728). */

export interface Challenge {
  readonly status: number;
  /** Whether the server asks for a bearer token at all; a bare 403 does not. */
  readonly isBearer: boolean;
  readonly error: string | undefined;
  /** Scopes that the refused operation requires. */
  readonly scope: string | undefined;
  /** URL of the protected resource metadata. */
  readonly resourceMetadata: string | undefined;
}

const longestHeader = 4096;
const parameter = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** What follows the name of the Bearer scheme; the header may contain challenges of other schemes too. */
const bearerIn = (header: string): string | undefined =>
  /(?:^|,)\s*bearer(?=[\s,]|$)(.*)$/is.exec(header)?.[1];

function bearerParameters(rest: string): Map<string, string> {
  // A challenge of another scheme may follow: its name is a word that is not followed by `=`.
  const own = rest.split(/,\s*[a-z][\w-]*\s+(?=[a-z_]+\s*=)/i, 1)[0] ?? '';
  return new Map(
    [...own.matchAll(parameter)].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
    ]),
  );
}

/** @param header the `WWW-Authenticate` value, all header lines joined */
export function readChallenge(status: number, header: string | readonly string[] | undefined): Challenge {
  const text = (typeof header === 'string' ? header : (header ?? []).join(', ')).slice(0, longestHeader);
  const bearer = bearerIn(text);
  const parameters = bearerParameters(bearer ?? '');
  return {
    status,
    isBearer: bearer !== undefined,
    error: parameters.get('error'),
    scope: parameters.get('scope') || undefined,
    resourceMetadata: parameters.get('resource_metadata'),
  };
}

/** Whether the token was valid but lacks scopes. */
export const wantsMoreScope = ({ status, error, scope }: Challenge): boolean =>
  status === 403 && (error === 'insufficient_scope' || (error === undefined && scope !== undefined));

export const scopesOf = (scope: string | undefined): string[] =>
  (scope ?? '').split(' ').filter((each) => each !== '');

/** The union of both scope lists. */
export const unionOfScopes = (...scopes: readonly (string | undefined)[]): string =>
  [...new Set(scopes.flatMap(scopesOf))].join(' ');
