/** The authorization server of one gateway: oidc-provider with our configuration. */
import Provider, {
  errors,
  interactionPolicy,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Logger } from '#base/log/log.ts';
import type { Identity } from '#identity/identity.ts';
import type { Addresses } from './addresses.ts';
import { createAdapter, type AdapterDeps } from './adapter.ts';
import type { FetchForClients } from './client-documents.ts';
import { signingAlgorithm, type GatewayKeys } from './keys.ts';
import { scopes } from './scopes.ts';

export interface ProviderSettings {
  /** Lifetime of a refresh token; each use returns a new one. */
  readonly refreshTokenDays: number;
  /** Lifetime of a consent; afterwards the user is asked again. */
  readonly consentDays: number;
}

export interface ProviderDeps extends AdapterDeps {
  readonly log: Logger;
  readonly tenantId: string;
  readonly addresses: Addresses;
  readonly keys: GatewayKeys;
  readonly identity: Pick<Identity, 'person'>;
  readonly settings: ProviderSettings;
  readonly fetchForClients: FetchForClients;
  /** Rate limit for fetching documents of this client. */
  readonly mayFetch: (clientId: string) => boolean;
  /** Shows an error page in the user's browser. */
  readonly renderError: (
    ctx: KoaContextWithOIDC,
    error: { error: string; error_description?: string | undefined },
  ) => void;
}

const daySeconds = 86_400;
const accessTokenSeconds = 600;
const codeSeconds = 60;
const interactionSeconds = 600;
const sessionSeconds = 8 * 3600;

/**
 * The user must sign in again if the user was deleted or disabled, and must consent to each request: clients never
 * inherit a consent.
 */
function policy() {
  const { Check, base } = interactionPolicy;
  const prompts = base();
  prompts
    .get('login')
    ?.checks.add(
      new Check('account_gone', 'the person has to sign in', (ctx) =>
        ctx.oidc.session?.accountId !== undefined && ctx.oidc.account === undefined
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
      ),
    );
  const consent = prompts.get('consent');
  consent?.checks.clear();
  consent?.checks.add(
    new Check('not_asked', 'the person has to be asked', 'consent_required', (ctx) =>
      ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
  return prompts;
}

function cookies({ path, issuer }: Addresses, { cookieKeys }: GatewayKeys): Configuration['cookies'] {
  const common = {
    httpOnly: true,
    sameSite: 'lax',
    secure: issuer.startsWith('https:'),
    signed: true,
  } as const;
  return {
    keys: [...cookieKeys],
    // Sessions are separate for each gateway.
    long: { ...common, path },
    short: common,
    names: {
      session: 'bulwark_gateway_session',
      interaction: 'bulwark_gateway_request',
      resume: 'bulwark_gateway_resume',
    },
  };
}

function resourceIndicators({ issuer }: Addresses) {
  return {
    enabled: true,
    defaultResource: () => issuer,
    useGrantedResource: () => true,
    getResourceServerInfo: (_: unknown, resource: string) => {
      // Some clients add a trailing slash to URLs without a path.
      if (resource !== issuer && resource !== `${issuer}/`)
        throw new errors.InvalidTarget('this authorization server is only for its own gateway');
      return {
        scope: scopes.join(' '),
        audience: issuer,
        accessTokenTTL: accessTokenSeconds,
        accessTokenFormat: 'jwt' as const,
        jwt: { sign: { alg: signingAlgorithm as 'ES256' } },
      };
    },
  };
}

function features(deps: ProviderDeps): Configuration['features'] {
  const { addresses, mayFetch } = deps;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // Never revokes a token of another client.
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    resourceIndicators: resourceIndicators(addresses),
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (_: unknown, clientId: string) => mayFetch(clientId),
      cacheDuration: { min: 60, max: 3600 },
    },
  };
}

function lifetimes({ settings }: ProviderDeps): Configuration['ttl'] {
  return {
    AccessToken: accessTokenSeconds,
    AuthorizationCode: codeSeconds,
    Interaction: interactionSeconds,
    Session: sessionSeconds,
    IdToken: accessTokenSeconds,
    RefreshToken: settings.refreshTokenDays * daySeconds,
    Grant: settings.consentDays * daySeconds,
  };
}

const originOf = (uri: string) => (URL.canParse(uri) ? new URL(uri).origin : undefined);

/** When the user consented to the client, or signed in with this browser. */
async function signedInAt(
  ctx: KoaContextWithOIDC,
  token: { grantId?: string | undefined } | undefined,
  grants: AdapterDeps['grants'],
): Promise<Date | undefined> {
  if (token?.grantId !== undefined) return (await grants.find(token.grantId))?.createdAt;
  const { loginTs } = ctx.oidc.session ?? {};
  // Times are whole seconds: a sign-in in the same second as a password change counts as later.
  return loginTs === undefined ? undefined : new Date((loginTs + 1) * 1000);
}

/** The provider answers below the issuer's path, for requests with the issuer's host and protocol. */
export function createProvider(deps: ProviderDeps): Provider {
  const { addresses, keys, identity, tenantId, log, gatewayId } = deps;
  const provider = new Provider(addresses.issuer, {
    adapter: createAdapter(deps),
    jwks: { keys: keys.jwks.keys.map((key) => ({ ...key })) } as NonNullable<Configuration['jwks']>,
    cookies: cookies(addresses, keys),
    features: features(deps),
    ttl: lifetimes(deps),
    scopes: ['openid', 'offline_access', ...scopes],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: signingAlgorithm,
      token_endpoint_auth_method: 'client_secret_basic',
    },
    enabledJWA: {
      idTokenSigningAlgValues: [signingAlgorithm],
      clientAuthSigningAlgValues: ['ES256', 'PS256', 'RS256', 'EdDSA'],
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      jwks: '/jwks',
    },
    interactions: { policy: policy(), url: (_, { uid }) => `${addresses.path}/interaction/${uid}` },
    findAccount: async (ctx, userId, token) => {
      const person = await identity.person(userId, await signedInAt(ctx, token, deps.grants));
      if (person?.tenantId !== tenantId) return undefined;
      return { accountId: userId, claims: () => ({ sub: userId }) };
    },
    // Only scopes that the user just consented to.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clientBasedCORS: (_, origin, client) =>
      client.redirectUris?.some((uri) => originOf(uri) === origin) ?? false,
    formats: {
      customizers: {
        jwt: (_, token, parts) => {
          if ('grantId' in token) parts.payload['grant'] = token.grantId;
        },
      },
    },
    fetch: deps.fetchForClients,
    fetchResponseBodyLimits: { 'client_id metadata document': 10 * 1024, jwks_uri: 64 * 1024 },
    renderError: (ctx, out) => deps.renderError(ctx, out),
  });
  // Host and protocol are set on each request by the mounting code.
  provider.proxy = true;
  provider.on('server_error', (_, error) => {
    log.error({ gateway_id: gatewayId, err: error }, 'an authorization server failed');
  });
  return provider;
}
