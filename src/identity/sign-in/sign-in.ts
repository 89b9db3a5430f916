import type { RequestFacts } from '#base/http/mount.ts';
import type { Database } from '#base/db/database.ts';
import type { Audit } from '../audit/audit.ts';
import { unauthorized } from '../challenges.ts';
import { isPassword } from '../passwords/passwords.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Attempt, Throttle, ThrottleRule } from '../throttle/throttle.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import { nameKey } from '../users/names.ts';
import { findUser, findUserByName, type User } from '../users/store.ts';

export const signInRule: ThrottleRule = {
  kind: 'sign-in',
  limit: 10,
  detail:
    'Too many failed sign-ins for this username from this address. Wait for the seconds in Retry-After.',
};

/** All spellings of a username count as one. */
export const signInAttempt = (tenantName: string, username: string, request: RequestFacts): Attempt => ({
  on: [tenantName, nameKey(username)],
  address: request.ip,
});

export interface SignInParts {
  db: Database;
  sessions: Sessions;
  throttle: Throttle;
  accessTokens: AccessTokens;
  audit: Audit;
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

export interface Credentials {
  username: string;
  password: string;
  tenantName: string;
}

export interface SignIn {
  /** Who the credentials belong to, without opening a session. Throws as {@link SignIn.login} does. */
  check(who: Credentials, request: RequestFacts): Promise<User>;
  /** Throws 401 without saying which of the three was wrong, 429 after too many failures. */
  login(who: Credentials, request: RequestFacts): Promise<TokenPair>;
  /** Throws 401; a token that was used before revokes its whole session. */
  refresh(refreshToken: string, request: RequestFacts): Promise<TokenPair>;
  /** Does nothing for a token that is unknown. */
  logout(refreshToken: string, request: RequestFacts): Promise<void>;
}

const wrong = () => unauthorized('invalid_token', 'The username, the password or the tenant_name is wrong.');

export function createSignIn({ db, sessions, throttle, accessTokens, audit }: SignInParts): SignIn {
  const unusable = (detail: string) =>
    unauthorized('invalid_token', `${detail} Sign in again with /auth/login.`);

  const check: SignIn['check'] = async ({ username, password, tenantName }, request) => {
    const attempt = signInAttempt(tenantName, username, request);
    await throttle.take(attempt);
    const user = await findUserByName(db, tenantName, username);
    // Always verify, even for unknown users, so that timing reveals nothing.
    const right = await isPassword(user?.passwordHash ?? undefined, password);
    if (user === undefined || !right || user.disabledAt !== null) {
      const who = { tenantId: user?.tenantId, userId: user?.id };
      const details = { username, tenant_name: tenantName };
      await audit({ event: 'login_failed', ...who, request, details }, db);
      throw wrong();
    }
    await throttle.clear(attempt);
    return user;
  };

  return {
    check,
    async login(who, request) {
      const user = await check(who, request);
      const refreshToken = await sessions.begin(user, (tx, userId) =>
        audit({ event: 'login', tenantId: user.tenantId, userId, request }, tx),
      );
      // The password was changed while this one was checked.
      if (refreshToken === undefined) throw wrong();
      return { accessToken: await accessTokens.issue(user), refreshToken };
    },
    async refresh(refreshToken, request) {
      const exchange = await sessions.exchange(refreshToken, (tx, userId) =>
        audit({ event: 'refresh_reuse', userId, request }, tx),
      );
      if (exchange.outcome === 'reused')
        throw unusable('The refresh token was already used, so all tokens of its session are revoked.');
      if (exchange.outcome === 'expired')
        throw unauthorized('token_expired', 'The refresh token has expired. Sign in again with /auth/login.');
      if (exchange.outcome === 'unknown') throw unusable('The refresh token is unknown or was revoked.');
      const user = await findUser(db, exchange.userId);
      if (user === undefined || user.disabledAt !== null) {
        await sessions.revoke(exchange.sessionId);
        throw unusable('The user was deleted or disabled.');
      }
      return { accessToken: await accessTokens.issue(user), refreshToken: exchange.refreshToken };
    },
    logout: (refreshToken, request) =>
      sessions.end(refreshToken, (tx, userId) => audit({ event: 'logout', userId, request }, tx)),
  };
}
