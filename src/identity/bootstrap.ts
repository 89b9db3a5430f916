import type { Clock } from '#base/clock.ts';
import type { Secret } from '#base/config/secret.ts';
import type { Database } from '#base/db/database.ts';
import { StartupError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import { maxPasswordBytes } from './contract/auth.ts';
import { hashPassword, newPassword } from './passwords/passwords.ts';
import { findTenantByName, insertTenant } from './tenants/store.ts';
import { insertUser } from './users/store.ts';

/** The tenant of the platform's administrators. */
export const systemTenant = 'system';

export interface FirstAdmin {
  username: string;
  /** Undefined if set by the configuration. It is stored nowhere: show it once. */
  password: string | undefined;
}

/**
 * Creates the tenant `system` and its user `admin` in a new database.
 * @returns the new administrator, to exactly one of several starting processes; undefined if it existed.
 */
export async function bootstrap(
  { db, clock }: { db: Database; clock: Clock },
  configured: Secret | undefined,
): Promise<FirstAdmin | undefined> {
  if ((await findTenantByName(db, systemTenant)) !== undefined) return undefined;
  if (Buffer.byteLength(configured?.reveal() ?? '') > maxPasswordBytes)
    throw new StartupError(`admin.password has more than ${maxPasswordBytes} bytes; choose a shorter one.`);
  const username = 'admin';
  const generated = configured === undefined ? newPassword() : undefined;
  const passwordHash = await hashPassword(generated ?? configured?.reveal() ?? '');
  const createdAt = new Date(clock.now());
  const tenantId = newUuid(clock.now());
  const first = await db.transaction(async (tx) => {
    const made = await insertTenant(tx, {
      id: tenantId,
      name: systemTenant,
      selfRegistration: false,
      createdAt,
    });
    if (made)
      await insertUser(tx, {
        id: newUuid(clock.now()),
        tenantId,
        username,
        roles: ['admin'],
        passwordHash,
        createdAt,
      });
    return made;
  });
  return first ? { username, password: generated } : undefined;
}
