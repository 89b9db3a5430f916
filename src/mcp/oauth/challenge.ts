/** Parses a server's `WWW-Authenticate` challenge (RFC 6750, RFC 9728). */

export interface Challenge {
  readonly status: number;
  readonly error: string | undefined;
  /** Scopes that the refused operation needs. */
  readonly scope: string | undefined;
  /** Where the server describes itself as a protected resource. */
  readonly resourceMetadata: string | undefined;
}

const longestHeader = 4096;
const parameter = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** The parameters of the Bearer challenge, of all that the header may hold. */
function bearerParameters(header: string): Map<string, string> {
  const [, rest = ''] = /(?:^|,)\s*bearer(?:\s+(.*))?$/is.exec(header) ?? [];
  // Another scheme's challenge may follow: its name is a word that no `=` comes after.
  const own = rest.split(/,\s*[a-z][\w-]*\s+(?=[a-z_]+\s*=)/i, 1)[0] ?? '';
  return new Map(
    [...own.matchAll(parameter)].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
    ]),
  );
}

/** @param header the value of `WWW-Authenticate`, of every such line. */
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

/** All scopes of both, each once. */
export const unionOfScopes = (...scopes: readonly (string | undefined)[]): string =>
  [...new Set(scopes.flatMap(scopesOf))].join(' ');
