import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Confirmation, emailAddress, newPassword } from './auth.ts';

const roleList = () =>
  z
    .array(z.enum(['admin', 'member']))
    .min(1)
    .max(2);

const User = z
  .object({
    id: z.uuid(),
    username: z.string(),
    tenant_id: z.uuid(),
    tenant_name: z.string(),
    roles: roleList(),
    enabled: z.boolean(),
    email: z.string().nullable(),
    source: z
      .enum(['local', 'oidc'])
      .meta({ description: 'Where the user signs in: here, or at the OpenID Connect issuer.' }),
    created_at: isoTime(),
  })
  .meta({ id: 'User' });

const ofTenant = {
  tenant_id: z
    .string()
    .optional()
    .meta({ description: 'Another tenant’s id; for administrators of `system`.' }),
};

const tag = 'Users';
const params = z.object({ user_id: z.string() });

/** Of the caller's tenant, for those with the permission `users:manage`; and the caller's own password. */
export const userOperations = {
  listUsers: defineOperation({
    method: 'GET',
    path: '/auth/users',
    tag,
    summary: 'List the users of the tenant',
    access: 'jwt',
    query: z.object({
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
      ...ofTenant,
    }),
    response: z.object({ users: z.array(User), total: z.int() }).meta({ id: 'UserList' }),
    errors: [403, 404],
  }),
  updateUser: defineOperation({
    method: 'PATCH',
    path: '/auth/users/{user_id}',
    tag,
    summary: 'Change a user',
    description:
      'Only fields that are sent change. Disabling a user takes effect at once, also for their API keys; ' +
      'a new password ends all their sessions, and the access they gave to AI clients. `system` keeps at least one administrator.',
    access: 'jwt',
    params,
    query: z.object(ofTenant),
    body: z
      .object({
        enabled: z.boolean().optional(),
        roles: roleList().optional(),
        password: newPassword().optional(),
        email: emailAddress().nullish().meta({
          description:
            'Sent to MCP servers that are configured to receive the caller’s identity; null: none.',
        }),
      })
      .meta({ id: 'UserChange' }),
    response: User,
    errors: [403, 404, 409],
  }),
  deleteUser: defineOperation({
    method: 'DELETE',
    path: '/auth/users/{user_id}',
    tag,
    summary: 'Delete a user',
    description: 'Ends all their sessions and API keys at once.',
    access: 'jwt',
    params,
    query: z.object(ofTenant),
    response: Confirmation,
    errors: [403, 404, 409],
  }),
  changePassword: defineOperation({
    method: 'PUT',
    path: '/auth/password',
    tag,
    summary: 'Change one’s own password',
    description: 'Ends all sessions of the caller, and the access they gave to AI clients.',
    access: 'jwt',
    body: z
      .object({
        current_password: storedText({ min: 1, max: 1024 }),
        new_password: newPassword(),
      })
      .meta({ id: 'PasswordChange' }),
    response: Confirmation,
    errors: [403, 409],
  }),
} as const;
