/** Signing in and out. The same operations exist under two paths, so a function creates them. */
import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

export const maxPasswordBytes = 1024;

const withinBytes = (text: string) => new TextEncoder().encode(text).length <= maxPasswordBytes;

/** A password at sign-in: one that is too short is wrong, not invalid. */
const typedPassword = () =>
  storedText({ min: 1, max: maxPasswordBytes }).refine(withinBytes, {
    error: `must have at most ${maxPasswordBytes} bytes`,
  });

/** A password to be set. */
export const newPassword = () =>
  storedText({ min: 8, max: maxPasswordBytes })
    .refine(withinBytes, { error: `must have at most ${maxPasswordBytes} bytes` })
    .meta({ description: 'At least 8 characters, at most 1024 bytes.' });

export const emailAddress = () => z.email().max(254);

const name = () => storedText({ min: 1, max: 255 });

/** A name to be given to a user or a tenant. */
export const newName = () =>
  name().refine((text) => !/\p{C}/u.test(text) && text.trim() === text, {
    error: 'must not contain control characters, nor begin or end with a space',
  });

const refreshToken = () => z.string().min(1).max(4096);

const Login = z
  .object({
    username: name(),
    password: typedPassword(),
    tenant_name: name().default('system'),
  })
  .meta({ id: 'Login' });

const Refresh = z.object({ refresh_token: refreshToken() }).meta({ id: 'Refresh' });

const Tokens = z
  .object({
    access_token: z.string().meta({ description: 'A JWT for `Authorization: Bearer`.' }),
    refresh_token: z.string().meta({ description: 'Can be used once, within 7 days.' }),
    token_type: z.literal('bearer'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires.' }),
  })
  .meta({ id: 'Tokens' });

export const Confirmation = z.object({ message: z.string() }).meta({ id: 'Confirmation' });

const Me = z.object({ id: z.uuid(), username: z.string() }).meta({ id: 'Me' });

const Registration = z
  .object({
    username: newName(),
    password: newPassword(),
    tenant_name: name().default('system'),
    roles: z
      .array(z.enum(['admin', 'member']))
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'Only administrators may set it; default: `["member"]`.' }),
    email: emailAddress().optional().meta({
      description:
        'Only administrators may set it. Sent to MCP servers that are configured to receive the caller’s identity.',
    }),
  })
  .meta({ id: 'Registration' });

const Registered = z
  .object({ id: z.uuid(), username: z.string(), tenant_name: z.string() })
  .meta({ id: 'Registered' });

const tag = 'Authentication';

const login = <const P extends string>(prefix: P) =>
  defineOperation({
    method: 'POST',
    path: `/${prefix}/login`,
    tag,
    summary: 'Sign in',
    description:
      'Exchanges username and password for an access token of 15 minutes and a refresh token of 7 days. ' +
      'After 10 failures in 15 minutes for one username and address: 429.',
    access: 'public',
    body: Login,
    response: Tokens,
    errors: [401],
  });

const refresh = <const P extends string>(prefix: P) =>
  defineOperation({
    method: 'POST',
    path: `/${prefix}/refresh`,
    tag,
    summary: 'Exchange a refresh token',
    description:
      'Returns new tokens. A refresh token can be used once: using it again revokes all tokens of its session.',
    access: 'public',
    body: Refresh,
    response: Tokens,
    errors: [401],
  });

export const authOperations = {
  login: login('auth'),
  refresh: refresh('auth'),
  logout: defineOperation({
    method: 'POST',
    path: '/auth/logout',
    tag,
    summary: 'Sign out',
    description: 'Invalidates the refresh token and all others of the same sign-in.',
    access: 'public',
    body: Refresh,
    response: Confirmation,
  }),
  me: defineOperation({
    method: 'GET',
    path: '/auth/me',
    tag,
    summary: 'Who am I',
    access: 'jwt',
    keyScope: 'policies',
    response: Me,
  }),
  register: defineOperation({
    method: 'POST',
    path: '/auth/register',
    tag,
    summary: 'Create a user',
    description:
      'Needs no credential if the tenant’s administrator allows self-registration (never for `system`); ' +
      'otherwise it needs a bearer token of an administrator of that tenant.',
    access: 'public',
    body: Registration,
    status: 201,
    response: Registered,
    errors: [401, 403, 404, 409],
  }),
} as const;

/** The same sign-in under the path of the red-teaming platform. */
export const authApiOperations = {
  authApiLogin: login('auth-api/api/v1/auth'),
  authApiRefresh: refresh('auth-api/api/v1/auth'),
} as const;
