/** Operations of the dashboard's own server: sign-in with the refresh token in a cookie, and deployment information. */
import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Session';

const Session = z
  .object({
    access_token: z
      .string()
      .nullable()
      .meta({ description: 'For `Authorization: Bearer`; null where authentication is off.' }),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires.' }),
  })
  .meta({ id: 'Session' });

const Platform = z
  .object({
    version: z.string(),
    environment: z.string(),
    authentication: z.boolean(),
    services: z.array(z.object({ name: z.string(), url: z.string() })).meta({
      description: 'Those that this process runs, each also reachable below `/services/<name>/`.',
    }),
  })
  .meta({ id: 'Platform' });

const sameSite = 'Requests from other sites are refused (403).';

export const sessionOperations = {
  signIn: defineOperation({
    method: 'POST',
    path: '/session',
    tag,
    summary: 'Sign in to the dashboard',
    description: `Keeps the refresh token in a cookie that scripts cannot read. ${sameSite}`,
    access: 'public',
    body: z
      .object({
        username: storedText({ min: 1, max: 255 }),
        password: storedText({ min: 1, max: 1024 }),
        tenant_name: storedText({ min: 1, max: 255 }).default('system'),
      })
      .meta({ id: 'SessionSignIn' }),
    response: Session,
    errors: [401, 403],
  }),
  refreshSession: defineOperation({
    method: 'POST',
    path: '/session/refresh',
    tag,
    summary: 'A new access token for the session of the cookie',
    description: sameSite,
    access: 'public',
    response: Session,
    errors: [401, 403],
  }),
  signOut: defineOperation({
    method: 'DELETE',
    path: '/session',
    tag,
    summary: 'Sign out',
    description: sameSite,
    access: 'public',
    response: z.object({ message: z.string() }).meta({ id: 'SignedOut' }),
    errors: [403],
  }),
  getPlatform: defineOperation({
    method: 'GET',
    path: '/session/platform',
    tag,
    summary: 'List the services that run here',
    access: 'public',
    response: Platform,
  }),
};

/** What open pages are told of. */
export const changeOperations = {
  streamChanges: defineOperation({
    method: 'GET',
    path: '/session/changes',
    tag: 'Changes',
    summary: 'Says when something changed that the caller sees, as server-sent events',
    description:
      'Events: `changed` with `{"what": [...]}`, of `texts`, `actions`, `calls` and `decisions`. It says that there is ' +
      'something new and not what: the page asks for what it shows. Changes of one second come together. A comment comes ' +
      'every 15 seconds. The stream ends after 15 minutes, when the service stops, and when the caller is deleted, signed ' +
      'out or gets other roles; connect again, and load once, since what happened meanwhile is not repeated.',
    access: 'jwt',
    response: z.string(),
    contentType: 'text/event-stream; charset=utf-8',
    errors: [503],
  }),
};

const Setting = z
  .object({
    path: z.string().meta({ description: 'In the configuration file.' }),
    variable: z.string().meta({ description: 'In the environment.' }),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
      .nullable()
      .meta({ description: 'Null if unset. For a secret, only whether it is set.' }),
    is_set: z.boolean().meta({ description: 'Whether it differs from the default.' }),
    doc: z.string(),
  })
  .meta({ id: 'EffectiveSetting' });

/** What holds in this deployment. */
export const deploymentOperations = {
  getConfiguration: defineOperation({
    method: 'GET',
    path: '/session/configuration',
    tag: 'Deployment',
    summary: 'The current configuration of this process',
    description:
      'For administrators of the tenant `system`. Settings are changed in the file or the environment and take effect at the ' +
      'next start. Secrets and passwords in URLs are removed.',
    access: 'jwt',
    response: z.object({ settings: z.array(Setting) }).meta({ id: 'Configuration' }),
    errors: [403],
  }),
};
