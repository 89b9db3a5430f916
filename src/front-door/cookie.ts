const name = 'bulwark_session';
const lifetimeSeconds = 7 * 24 * 60 * 60;

/** The refresh token of a request's cookie. */
export function readCookie(header: string | undefined): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** Out of reach of scripts, of other sites, and of every path but the session's own. */
const attributes = (secure: boolean) => `Path=/session; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

export const keepCookie = (refreshToken: string, secure: boolean): string =>
  `${name}=${refreshToken}; Max-Age=${lifetimeSeconds}; ${attributes(secure)}`;

export const dropCookie = (secure: boolean): string => `${name}=; Max-Age=0; ${attributes(secure)}`;
