import { systemClock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { newUuid } from '#base/ids.ts';
import { createApiKeys } from './api-keys/api-keys.ts';
import { personOf } from './authenticate.ts';
import { findUserByName } from './users/store.ts';

/** Of everybody here. */
export const password = 'correct horse battery staple';

/** Access tokens: of an administrator and a member of `system`, and of an administrator of another tenant. */
export interface TestPeople {
  admin: string;
  member: string;
  stranger: string;
}

type Call = (
  method: 'POST',
  url: string,
  sent: { as?: string; body: unknown },
  // oxlint-disable-next-line typescript/no-explicit-any -- as every test's call answers.
) => Promise<{ body: any }>;

/** Signs in another member of `system`, who is made where there is none. */
export async function addTestColleague(call: Call, admin: string): Promise<string> {
  const username = 'colleague';
  const colleague = { username, password, tenant_name: 'system', roles: ['member'] };
  await call('POST', '/auth/register', { as: admin, body: colleague });
  const { body } = await call('POST', '/auth/login', { body: { username, password } });
  return body.access_token;
}

/** An API key of the user of that name in `system`. */
export async function addTestKey(db: Database, username: string): Promise<string> {
  const user = await findUserByName(db, 'system', username);
  if (user === undefined) throw new Error(`no user ${username}`);
  const changes = { announce: async () => {}, [Symbol.asyncDispose]: async () => {} };
  const keys = createApiKeys({ db, clock: systemClock, changes, audit: async () => {} });
  const { key } = await keys.create(
    { caller: { ...personOf(user), via: 'jwt' } },
    { name: 'test', scope: 'all', expiresAt: undefined },
  );
  return key;
}

/** Adds who is not there yet to a deployment whose first administrator has the {@link password}; signs all in. */
export async function addTestPeople(db: Database, call: Call): Promise<TestPeople> {
  const login = async (username: string, tenant = 'system'): Promise<string> => {
    const { body } = await call('POST', '/auth/login', { body: { username, password, tenant_name: tenant } });
    return body.access_token;
  };
  const admin = await login('admin');
  const known = await db.query("select 1 as there from identity.tenants where name = 'other'");
  if (known.length === 0) {
    await db.query(
      "insert into identity.tenants (id, name, self_registration, created_at) values ($1, 'other', false, now())",
      [newUuid()],
    );
    const register = (username: string, tenant: string, roles: string[]) =>
      call('POST', '/auth/register', { as: admin, body: { username, password, tenant_name: tenant, roles } });
    await register('member', 'system', ['member']);
    await register('stranger', 'other', ['admin']);
  }
  return { admin, member: await login('member'), stranger: await login('stranger', 'other') };
}
