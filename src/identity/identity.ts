import type { IncomingHttpHeaders } from 'node:http';
import type { PlatformContext } from '#base/context.ts';
import type { Operation, Operations } from '#base/contract/operation.ts';
import { isLoopback } from '#base/http/listen.ts';
import { mount, type MountOptions } from '#base/http/mount.ts';
import type { HttpApp } from '#base/http/server.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import type { Logger } from '#base/log/log.ts';
import { jwtSecret } from '#base/secrets/shared-keys.ts';
import { tenantFor } from './access.ts';
import { refusePagesOfOthers } from './anonymous.ts';
import { createApiKeys } from './api-keys/api-keys.ts';
import { findApiKey, hasExpired } from './api-keys/store.ts';
import { openKeyUses } from './api-keys/key-use.ts';
import { apiKeyHandlers } from './api-keys/routes.ts';
import { createAudit, type Audit } from './audit/audit.ts';
import { auditHandlers } from './audit/routes.ts';
import { deleteAuditEventsBefore } from './audit/store.ts';
import { Authenticator, callerByKey, isSignedOut, personOf } from './authenticate.ts';
import { unauthorized } from './challenges.ts';
import { createLocalAdmin } from './local-admin.ts';
import { bootstrap, type FirstAdmin } from './bootstrap.ts';
import type { Caller } from './caller.ts';
import { apiKeyOperations } from './contract/api-keys.ts';
import { auditOperations } from './contract/audit.ts';
import { savedViewOperations } from './contract/saved-views.ts';
import { authApiOperations, authOperations } from './contract/auth.ts';
import { tenantOperations } from './contract/tenants.ts';
import { userOperations } from './contract/users.ts';
import { createFederation, type Federation } from './issuer/federation.ts';
import { createIssuerKeys } from './issuer/issuer-keys.ts';
import { createIssuerUsers } from './issuer/issuer-users.ts';
import { createOidcVerifier } from './issuer/oidc.ts';
import { createLive, type Listener, type Live } from './live.ts';
import { ensureLocalKey } from './local-key.ts';
import { savedViewHandlers } from './saved-views/routes.ts';
import { SavedViews } from './saved-views/saved-views.ts';
import { createSessions } from './sessions/sessions.ts';
import { createRegister } from './sign-in/register.ts';
import { authApiHandlers, authHandlers } from './sign-in/routes.ts';
import { createSignIn, signInRule, type SignIn } from './sign-in/sign-in.ts';
import { tenantHandlers } from './tenants/routes.ts';
import { findTenant } from './tenants/store.ts';
import { createTenants } from './tenants/tenants.ts';
import { createThrottle } from './throttle/throttle.ts';
import { createAccessTokens, type AccessTokens } from './tokens/access-tokens.ts';
import { createTokenVerifier, type TokenVerifier } from './tokens/verify.ts';
import { renewAdminPassword } from './users/lost-password.ts';
import { createChangeOwnPassword } from './users/own-password.ts';
import type { Counted } from './count-requests.ts';
import { userHandlers } from './users/routes.ts';
import { createUserNames, type UserNames } from './users/user-names.ts';
import { Users } from './users/users.ts';

/** What not every service answers. */
interface MountedParts {
  /** /api/api-keys */
  readonly apiKeys: boolean;
  /** /auth/saved-views, of the dashboard's server */
  readonly savedViews?: boolean;
  /** Counts each request of a caller; not those of nobody, such as signing in. */
  readonly counted: Counted;
}

export interface Identity extends AsyncDisposable {
  /** For `mount()`: authenticates the caller of an operation. Throws AppError 401 (with WWW-Authenticate) or 403. */
  authenticate(operation: Operation, headers: IncomingHttpHeaders): Promise<Caller | undefined>;
  /** Mounts /auth/*, /auth-api/api/v1/auth/* and, if requested, the other parts on a service's app. */
  mount(app: HttpApp, parts: MountedParts): void;
  /** The operations that {@link mount} adds, for the service's OpenAPI document. */
  operations(parts: Omit<MountedParts, 'counted'>): Operations;
  /**
   * The tenant that a call refers to: the caller's own, or the one of `?tenant_id=`.
   * Throws 403 without `tenant:override`; 404 for a tenant that is unknown, or that is not the caller's own where the
   * caller is no administrator of `system`.
   */
  tenantFor(caller: Caller, tenantId: string | undefined): Promise<string>;
  /** Sign-in for our own pages, which keep the refresh token in a cookie. */
  readonly signIn: SignIn;
  /**
   * The user as a caller; undefined if deleted or disabled, or if sessions of
   * `since` were revoked. Cached briefly.
   */
  person(userId: string, since?: Date): Promise<Omit<Caller, 'via'> | undefined>;
  /** Whether the caller authenticated at `since` is still valid: user, key, session. */
  holds(caller: Caller, since: Date): Promise<boolean>;
  /**
   * The user as the caller of what goes on in their name, such as a session or an address with a token; with the API
   * key it was made with. Undefined once either is gone.
   */
  callerOf(userId: string, apiKeyId: string | null): Promise<Caller | undefined>;
  /** Whether an API key is the caller's own, by its id. */
  ownsKey(caller: Pick<Caller, 'userId'>, keyId: string): Promise<boolean>;
  /** Called when a user or key changes in any process; without an argument if changes may have been missed. */
  onChange(listener: Listener): Disposable;
  /** The tenant's name; undefined for an unknown id. */
  tenantName(tenantId: string): Promise<string | undefined>;
  /** Names of users, for responses that contain their ids. */
  readonly userNames: UserNames;
  /** Sign-in at the OpenID Connect issuer, if configured. */
  readonly federation: Federation | undefined;
  /** A short-lived access token of the caller's, for another service of ours. Throws AppError 401 if they no longer exist. */
  tokenFor(caller: Caller): Promise<string>;
  /** Set on the very first start with an empty database. */
  readonly firstAdmin: FirstAdmin | undefined;
  /** Resets the first administrator's password. Throws StartupError if no administrator has a local password. */
  renewAdminPassword(): Promise<{ username: string; password: string }>;
  /** The first administrator of `system`, used by local commands. */
  localAdmin: () => Promise<Caller>;
  /** The path of a file with an API key of the {@link localAdmin}, created if there is no valid one. */
  localKeyFile(): Promise<string>;
  /** Records an audit event of identity or of a service, without secrets. */
  audit: Audit;
}

type Context = Pick<PlatformContext, 'config' | 'db' | 'log' | 'clock' | 'strictAnswers'> & {
  /** Without background jobs, nothing old is deleted. */
  readonly jobs?: PlatformContext['jobs'];
};

interface Parts extends Context {
  audit: Audit;
  live: Live;
  accessTokens: AccessTokens;
  userNames: UserNames;
}

/** The one authentication model, over a database with {@link identityMigrations}. */
export async function createIdentity(ctx: Context): Promise<Identity> {
  const { config, db, jobs, clock } = ctx;
  if (jobs !== undefined)
    await scheduleRetention({
      jobName: 'identity-audit-retention',
      days: config.audit.retentionDays,
      jobs,
      clock,
      deleteBefore: (moment, limit) => deleteAuditEventsBefore(db, moment, limit),
    });
  const firstAdmin = await bootstrap(ctx, config.admin.password);
  const accessTokens = createAccessTokens({
    secret: await jwtSecret(config),
    previousSecret: config.jwt.previousSecret?.reveal(),
    clock: ctx.clock,
  });
  const parts: Parts = {
    ...ctx,
    audit: createAudit(ctx),
    live: await createLive({ ...ctx, staleMs: config.database.staleSeconds * 1000 }),
    accessTokens,
    userNames: createUserNames(db),
  };
  const { audit, live, userNames } = parts;
  const keyUses = openKeyUses(ctx);
  const localAdmin = createLocalAdmin(db, live.users);
  const anonymous = async (headers: IncomingHttpHeaders) => {
    if (!config.insecurePublic) refusePagesOfOthers(headers);
    return localAdmin();
  };
  const authenticator = new Authenticator({
    clock: ctx.clock,
    tokens: tokenVerifier(parts),
    liveUsers: live.users,
    liveKeys: live.keys,
    keyUses,
    anonymous: config.auth.enabled ? undefined : anonymous,
  });
  const {
    signIn,
    authHandler,
    authApiHandler,
    keyHandler,
    userHandler,
    tenantHandler,
    auditHandler,
    viewHandler,
  } = handlersOf(parts);

  return {
    authenticate: (operation, headers) => authenticator.authenticate(operation, headers),
    mount(app, { apiKeys, savedViews = false, counted }) {
      const options: MountOptions<Caller> = {
        authenticate: async (operation, headers) =>
          counted(
            operation === authOperations.register
              ? await authenticator.recognise(headers)
              : await authenticator.authenticate(operation, headers),
          ),
        strictAnswers: ctx.strictAnswers,
      };
      mount(app, authOperations, authHandler, options);
      mount(app, authApiOperations, authApiHandler, options);
      mount(app, userOperations, userHandler, options);
      mount(app, tenantOperations, tenantHandler, options);
      mount(app, auditOperations, auditHandler, options);
      if (apiKeys) mount(app, apiKeyOperations, keyHandler, options);
      if (savedViews) mount(app, savedViewOperations, viewHandler, options);
    },
    operations: ({ apiKeys, savedViews = false }) => ({
      ...authOperations,
      ...authApiOperations,
      ...userOperations,
      ...tenantOperations,
      ...auditOperations,
      ...(apiKeys ? apiKeyOperations : {}),
      ...(savedViews ? savedViewOperations : {}),
    }),
    tenantFor: (caller, tenantId) => tenantFor(db, caller, tenantId),
    async person(userId, since) {
      const user = await live.users.get(userId);
      return user && !isSignedOut(user, since) ? personOf(user) : undefined;
    },
    async holds({ userId, via, apiKeyId, keyExpiresAt }, since) {
      if (via === 'anonymous') return true;
      const user = await live.users.get(userId);
      if (user === undefined) return false;
      if (apiKeyId === undefined) return !isSignedOut(user, since);
      const key = await findApiKey(db, apiKeyId);
      // A key whose end was moved is to be presented again: what knows the old end would go on until then.
      return (
        key !== undefined &&
        key.expiresAt?.getTime() === keyExpiresAt?.getTime() &&
        !hasExpired(key, ctx.clock.now())
      );
    },
    async callerOf(userId, apiKeyId) {
      const user = await live.users.get(userId);
      if (user === undefined || apiKeyId === null) return user && { ...personOf(user), via: 'jwt' };
      const key = await findApiKey(db, apiKeyId);
      return key !== undefined && !hasExpired(key, ctx.clock.now()) ? callerByKey(user, key) : undefined;
    },
    ownsKey: async ({ userId }, keyId) => (await findApiKey(db, keyId))?.userId === userId,
    onChange: (listener) => live.onChange(listener),
    tenantName: async (tenantId) => (await findTenant(db, tenantId))?.name,
    userNames,
    federation: createFederation({
      clock: ctx.clock,
      config: config.oidc,
      users: createIssuerUsers({ ...parts, changes: live.changes }),
    }),
    async tokenFor({ userId }) {
      const user = await live.users.get(userId);
      if (user === undefined) throw unauthorized('invalid_token', 'The user was deleted or disabled.');
      return accessTokens.issue(user);
    },
    renewAdminPassword: () => renewAdminPassword({ db, clock: ctx.clock, audit, changes: live.changes }),
    localAdmin,
    localKeyFile: async () =>
      ensureLocalKey(await localAdmin(), {
        ...parts,
        apiKeys: createApiKeys({ ...parts, changes: live.changes }),
        dataDir: config.dataDir,
      }),
    signIn,
    firstAdmin,
    audit,
    async [Symbol.asyncDispose]() {
      await live.changes[Symbol.asyncDispose]();
      await keyUses[Symbol.asyncDispose]();
    },
  };
}

function handlersOf(parts: Parts) {
  const throttle = createThrottle(parts, signInRule);
  const signIn = createSignIn({ ...parts, sessions: createSessions(parts), throttle });
  const withChanges = { ...parts, changes: parts.live.changes };
  return {
    signIn,
    authHandler: authHandlers({ signIn, register: createRegister(parts) }),
    authApiHandler: authApiHandlers(signIn),
    keyHandler: apiKeyHandlers({ ...parts, apiKeys: createApiKeys(withChanges) }),
    userHandler: userHandlers(new Users(withChanges), createChangeOwnPassword({ ...withChanges, throttle })),
    tenantHandler: tenantHandlers(createTenants(parts)),
    auditHandler: auditHandlers(parts),
    viewHandler: savedViewHandlers({ ...parts, savedViews: new SavedViews(parts) }),
  };
}

function tokenVerifier(parts: Parts): TokenVerifier {
  const { clock, config, live, accessTokens } = parts;
  const { issuer } = config.oidc;
  if (issuer !== undefined) warnOfPlainIssuer(issuer, parts.log);
  const oidc =
    issuer === undefined
      ? undefined
      : createOidcVerifier({
          clock,
          config: config.oidc,
          keys: createIssuerKeys(issuer, parts),
          users: createIssuerUsers({ ...parts, changes: live.changes }),
        });
  return createTokenVerifier({ clock, accessTokens, oidc });
}

/** Over plain HTTP an attacker in the network can forge tokens; acceptable only in a trusted network. */
function warnOfPlainIssuer(issuer: string, log: Logger): void {
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    log.warn(
      { issuer },
      'the keys of oidc.issuer are fetched without TLS; use https:// unless the network is trusted',
    );
}
