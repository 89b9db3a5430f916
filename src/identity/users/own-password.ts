import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Changes } from '../changes.ts';
import { hashPassword, isPassword } from '../passwords/passwords.ts';
import { signInAttempt } from '../sign-in/sign-in.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { findUser, setPasswordHash, signOutEverywhere } from './store.ts';

/** Sets the caller's own password. Throws 403 where the current one is wrong, 429 after too many such. */
export type ChangeOwnPassword = (
  caller: Caller,
  passwords: { current: string; next: string },
  request: RequestFacts,
) => Promise<void>;

export interface OwnPasswordParts {
  db: Database;
  clock: Clock;
  changes: Changes;
  throttle: Throttle;
  audit: Audit;
}

export const createChangeOwnPassword =
  ({ db, clock, changes, throttle, audit }: OwnPasswordParts): ChangeOwnPassword =>
  async (caller, { current, next }, request) => {
    const attempt = signInAttempt(caller.tenantName, caller.username, request);
    // A stolen access token must not allow guessing the password.
    await throttle.take(attempt);
    const user = await findUser(db, caller.userId);
    if (user === undefined) throw notFound('The user');
    if (user.issuer !== null)
      throw conflict('Your password is managed by the OpenID Connect issuer; change it there.');
    if (!(await isPassword(user.passwordHash ?? undefined, current)))
      throw forbidden("'current_password' is wrong.");
    await throttle.clear(attempt);
    const passwordHash = await hashPassword(next);
    await db.transaction(async (tx) => {
      await setPasswordHash(tx, user.id, passwordHash);
      await signOutEverywhere(tx, user.id, new Date(clock.now()));
      const details = { id: user.id, name: user.username };
      await audit({ event: 'password_changed', caller, request, details }, tx);
    });
    await changes.announce({ kind: 'user', id: user.id });
  };
