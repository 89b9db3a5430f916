import { createClient } from '#base/contract/client.ts';
import { AppError } from '#base/errors.ts';
import { sessionOperations } from '#front-door/contract.ts';
import { userOperations } from '#identity/contract/users.ts';

/** The signed-in user, from the access token. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly tenantName: string;
  readonly isAdmin: boolean;
}

type State =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-out'; readonly why?: string }
  | { readonly kind: 'signed-in'; readonly user: User };

/** The access token is renewed when it expires within this time. */
const renewAheadMs = 30_000;

const server = createClient(sessionOperations, { baseUrl: '' });
const listeners = new Set<() => void>();

// The access token is kept in this module only, never in the browser's storage.
let accessToken: string | null = null;
let expiresAtMs = 0;
let state: State = { kind: 'unknown' };
let renewing: Promise<void> | undefined;
/** Resolves with the new session after a password change in progress has ended. */
let changingPassword: Promise<unknown> = Promise.resolve();

const account = createClient(
  { changePassword: userOperations.changePassword },
  { baseUrl: '', headers: () => (accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }) },
);

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

const anonymous: User = { id: '', username: 'local', tenantName: 'system', isAdmin: true };

function userOf(token: string): User {
  const [, payload = ''] = token.split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as {
    sub: string;
    username: string;
    tenant_name: string;
    roles: string[];
  };
  return {
    id: claims.sub,
    username: claims.username,
    tenantName: claims.tenant_name,
    isAdmin: claims.roles.includes('admin'),
  };
}

function opened(session: { access_token: string | null; expires_in: number }): void {
  accessToken = session.access_token;
  expiresAtMs = Date.now() + session.expires_in * 1000;
  const user = accessToken === null ? anonymous : userOf(accessToken);
  if (state.kind !== 'signed-in' || state.user.id !== user.id) change({ kind: 'signed-in', user });
}

const ended = (why?: string) => {
  accessToken = null;
  expiresAtMs = 0;
  change({ kind: 'signed-out', ...(why !== undefined && { why }) });
};

/** Gets a new access token by the cookie; concurrent callers share one request. */
async function renew(): Promise<void> {
  renewing ??= (async () => {
    try {
      // The old cookie would be refused, and that response would delete the new cookie.
      await changingPassword;
      opened(await server.refreshSession());
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
      const wasIn = state.kind === 'signed-in';
      ended(wasIn ? 'Your session has ended. Sign in again.' : undefined);
    } finally {
      renewing = undefined;
    }
  })();
  return renewing;
}

/** Changing the password ends all sessions; this browser gets a new one at once. */
async function changePassword(user: User, current: string, next: string): Promise<void> {
  await account.changePassword({ body: { current_password: current, new_password: next } });
  try {
    const { username, tenantName: tenant_name } = user;
    opened(await server.signIn({ body: { username, password: next, tenant_name } }));
  } catch {
    ended('Your password is changed. Sign in with the new one.');
  }
}

export const session = {
  state: (): State => state,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Finds out whether the browser still has a session. */
  async resume(): Promise<void> {
    if (state.kind === 'unknown') await renew();
  },
  async signIn(who: { username: string; password: string; tenant_name: string }): Promise<void> {
    opened(await server.signIn({ body: who }));
  },
  async signOut(): Promise<void> {
    await server.signOut();
    ended();
  },
  /** Throws AppError 403 if the current password is wrong, 429 after too many attempts. All other sessions end. */
  async changePassword({ current, next }: { current: string; next: string }): Promise<void> {
    if (Date.now() > expiresAtMs - renewAheadMs) await renew();
    while (renewing !== undefined) await renewing;
    if (state.kind !== 'signed-in')
      throw new AppError(401, 'missing_auth', 'Your session has ended. Sign in again.');
    const changing = changePassword(state.user, current, next);
    changingPassword = changing.catch(() => undefined);
    return changing;
  },
  platform: () => server.getPlatform(),
};

/** `fetch` with the user's access token, which is renewed before it expires, and once more if the server refuses it. */
export const authorisedFetch: typeof fetch = async (input, init) => {
  if (Date.now() > expiresAtMs - renewAheadMs) await renew();
  const send = () => {
    const headers = new Headers(init?.headers);
    if (accessToken !== null) headers.set('authorization', `Bearer ${accessToken}`);
    return fetch(input, { ...init, headers });
  };
  const response = await send();
  if (response.status !== 401 || state.kind !== 'signed-in') return response;
  await renew();
  return accessToken === null ? response : send();
};
