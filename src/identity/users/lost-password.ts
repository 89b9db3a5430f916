import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { StartupError } from '#base/errors.ts';
import type { Audit } from '../audit/audit.ts';
import { systemTenant } from '../bootstrap.ts';
import type { Changes } from '../changes.ts';
import { hashPassword, newPassword } from '../passwords/passwords.ts';
import { findOldestAdmin, setPasswordHash, signOutEverywhere } from './store.ts';

/**
 * A new random password for the first administrator of `system`, for an operator who starts the process and lost the old one.
 * Ends that administrator's sessions.
 * @returns the password, which is kept nowhere.
 * @throws StartupError where no administrator has a password here.
 */
export async function renewAdminPassword({
  db,
  clock,
  audit,
  changes,
}: {
  db: Database;
  clock: Clock;
  audit: Audit;
  changes: Changes;
}): Promise<{ username: string; password: string }> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const admin = await db.transaction(async (tx) => {
    const found = await findOldestAdmin(tx, systemTenant, { ownPassword: true });
    if (found === undefined)
      throw new StartupError(
        `No enabled administrator of ${systemTenant} signs in with a password; they are the issuer's.`,
      );
    await setPasswordHash(tx, found.id, passwordHash);
    await signOutEverywhere(tx, found.id, new Date(clock.now()));
    const { id, tenantId, username } = found;
    const details = { id, name: username };
    await audit({ event: 'admin_password_renewed', tenantId, userId: id, details }, tx);
    return found;
  });
  await changes.announce({ kind: 'user', id: admin.id });
  return { username: admin.username, password };
}
