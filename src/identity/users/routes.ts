import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '../caller.ts';
import type { userOperations } from '../contract/users.ts';
import type { ChangeOwnPassword } from './own-password.ts';
import type { Users } from './users.ts';
import { toWire } from './view.ts';

export const userHandlers = (
  users: Users,
  changeOwnPassword: ChangeOwnPassword,
): Handlers<typeof userOperations, Caller> => ({
  listUsers: async ({ caller, query }) => {
    const { tenant_id: tenantId, limit, offset } = query;
    const found = await users.list(caller, { tenantId, limit, offset });
    return { users: found.users.map(toWire), total: found.total };
  },
  updateUser: async ({ caller, params, query, body, request }) => {
    const which = { id: params.user_id, tenantId: query.tenant_id };
    const { enabled, roles, password, email } = body;
    return toWire(await users.update({ caller, request }, which, { enabled, roles, password, email }));
  },
  deleteUser: async ({ caller, params, query, request }) => {
    const which = { id: params.user_id, tenantId: query.tenant_id };
    const { username } = await users.delete({ caller, request }, which);
    return { message: `The user '${username}' is deleted.` };
  },
  changePassword: async ({ caller, body, request }) => {
    const { current_password: current, new_password: next } = body;
    await changeOwnPassword(caller, { current, next }, request);
    return { message: 'Your password is changed. Sign in again with /auth/login.' };
  },
});
