import type { Database } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { hashPassword, isPassword } from '../passwords/passwords.ts';
import { signInAttempt } from '../sign-in/sign-in.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { deleteSessionsOf, findUser, setPasswordHash } from './store.ts';

/** Sets the caller's own password. Throws 403 where the current one is wrong, 429 after too many such. */
export type ChangeOwnPassword = (
  caller: Caller,
  passwords: { current: string; next: string },
  request: RequestFacts,
) => Promise<void>;

export const createChangeOwnPassword =
  ({ db, throttle, audit }: { db: Database; throttle: Throttle; audit: Audit }): ChangeOwnPassword =>
  async (caller, { current, next }, request) => {
    const attempt = signInAttempt(caller.tenantName, caller.username, request);
    // A stolen access token must not become a way to guess the password.
    await throttle.take(attempt);
    const user = await findUser(db, caller.userId);
    if (user === undefined) throw notFound('The user');
    if (user.issuer !== null) throw conflict('Your password is kept by the issuer; change it there.');
    if (!(await isPassword(user.passwordHash ?? undefined, current)))
      throw forbidden("'current_password' is wrong.");
    await throttle.clear(attempt);
    const passwordHash = await hashPassword(next);
    await db.transaction(async (tx) => {
      await setPasswordHash(tx, user.id, passwordHash);
      await deleteSessionsOf(tx, user.id);
    });
    await audit({ event: 'password_changed', caller, request });
  };
