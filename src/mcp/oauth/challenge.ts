/** Parses a server's `WWW-Authenticate` challenge (RFC 6750, RFC 9728). */

export interface Challenge {
  readonly status: number;
  readonly error: string | undefined;
  /** Scopes that the refused operation requires. */
  readonly scope: string | undefined;
  /** URL of the protected resource metadata. */
  readonly resourceMetadata: string | undefined;
}

const longestHeader = 4096;
const parameter = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** Parameters of the Bearer challenge; the header may contain challenges of other schemes too. */
function bearerParameters(header: string): Map<string, string> {
  const [, rest = ''] = /(?:^|,)\s*bearer(?:\s+(.*))?$/is.exec(header) ?? [];
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
  const parameters = bearerParameters(text);
  return {
    status,
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
