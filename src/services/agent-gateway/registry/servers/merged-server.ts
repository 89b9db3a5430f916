/** A server with what a caller sent of it. Placeholders keep stored secrets, if those are for the same place. */
import { invalid } from '#base/errors.ts';
import { maskedArguments } from '#engine/mcp-servers/argument-secrets.ts';
import { hiddenValue } from '../../contract/oauth-client.ts';
import type {
  AuthType,
  IdentityProvider,
  IdentityScheme,
  McpServer,
  RegisteredClient,
  TokenExchangeSettings,
} from './server.ts';
import type { SentServer } from './view.ts';

/** Redacted placeholder values keep the stored value. */
function mergedEnv(before: McpServer['env'], sent: SentServer['env']): McpServer['env'] {
  if (sent === undefined) return before;
  return Object.fromEntries(
    Object.entries(sent ?? {}).map(([name, value]) => {
      if (value !== hiddenValue) return [name, value];
      const stored = Object.hasOwn(before, name) ? before[name] : undefined;
      if (stored === undefined)
        throw invalid(
          `'env.${name}' is the redacted placeholder, but no value is stored under that name. Send the value.`,
        );
      return [name, stored];
    }),
  );
}

/** Arguments that are shown with a placeholder stand for the stored ones; several alike in their order. */
function mergedArgs(before: McpServer['args'], sent: SentServer['args']): McpServer['args'] {
  if (sent === undefined) return before;
  const shown = maskedArguments(before);
  const stored = Map.groupBy(before.entries(), ([i]) => shown[i]);
  return (sent ?? []).map((arg, i) => {
    if (!arg.includes(hiddenValue)) return arg;
    const [, kept] = stored.get(arg)?.shift() ?? [];
    if (kept === undefined)
      throw invalid(
        `'args.${i}' has the redacted placeholder, but no such argument is stored. Send it with its value.`,
      );
    return kept;
  });
}

function mergedExchange(
  before: TokenExchangeSettings | null,
  sent: SentServer['token_exchange'],
): TokenExchangeSettings | null {
  if (sent === undefined) return before;
  if (sent === null) return null;
  const { token_endpoint: tokenEndpoint, audience, scope } = sent;
  return { tokenEndpoint, audience: audience ?? null, scope: scope ?? null };
}

/** The identity scheme `user_oauth` implies `auth_type: oauth`, unless another value was sent. */
function mergedAuthType(before: McpServer, sent: SentServer, scheme: IdentityScheme): AuthType {
  if (sent.auth_type !== undefined) return sent.auth_type ?? 'none';
  return scheme === 'user_oauth' ? 'oauth' : before.authType;
}

/** The secret as sent, or the stored one where its placeholder comes back. */
function secretOf(
  /** Its path in the request. */
  field: string,
  sent: string | null | undefined,
  stored: string | null | undefined,
): string | null {
  if (sent !== hiddenValue) return sent ?? null;
  if (stored === null || stored === undefined)
    throw invalid(
      `'${field}' is hidden, and none is stored for this client and this address. Send its value.`,
    );
  return stored;
}

const secretsOf = ({ clientSecret, privateKey, assertion }: RegisteredClient) => ({
  client_secret: clientSecret,
  private_key: privateKey,
  assertion,
});

/** Who is shown the secrets of a client: the server says where that is, unless an issuer or an endpoint is set. */
const seesSecrets = ({ connectionUrl, tokenExchange, oauthClient }: SecretPlace): string =>
  JSON.stringify([
    connectionUrl,
    tokenExchange?.tokenEndpoint ?? null,
    oauthClient?.clientId,
    oauthClient?.issuer ?? null,
  ]);

type SecretPlace = Pick<McpServer, 'connectionUrl' | 'tokenExchange'> & {
  oauthClient: Pick<RegisteredClient, 'clientId' | 'issuer'> | null;
};

/**
 * @param after the server as it will be, but for the client
 * @throws AppError 422 where a stored secret would be shown to somebody else than before
 */
function mergedClient(
  before: McpServer,
  after: Omit<SecretPlace, 'oauthClient'>,
  sent: SentServer['oauth_client'],
): RegisteredClient | null {
  const { oauthClient: stored } = before;
  if (sent === null) return null;
  if (sent === undefined) {
    if (stored === null || seesSecrets(before) === seesSecrets({ ...after, oauthClient: stored }))
      return stored;
    const kept = Object.entries(secretsOf(stored)).find(([, value]) => value !== null);
    if (kept !== undefined)
      throw invalid(
        `'oauth_client.${kept[0]}' was stored for another address of the server. Send 'oauth_client' with its value, or null.`,
      );
    return stored;
  }
  const { client_id: clientId, issuer = null } = sent;
  // A stored secret is for the place that it was stored for.
  const isSame = seesSecrets(before) === seesSecrets({ ...after, oauthClient: { clientId, issuer } });
  const same = isSame ? stored : undefined;
  return {
    clientId,
    clientSecret: secretOf('oauth_client.client_secret', sent.client_secret, same?.clientSecret),
    issuer,
    grant: sent.grant ?? 'authorization_code',
    privateKey: secretOf('oauth_client.private_key', sent.private_key, same?.privateKey),
    assertion: secretOf('oauth_client.assertion', sent.assertion, same?.assertion),
  };
}

function mergedProvider(
  before: IdentityProvider | null,
  sent: SentServer['identity_provider'],
): IdentityProvider | null {
  if (sent === undefined) return before;
  if (sent === null) return null;
  const { issuer, client_id: clientId, client_secret: secret } = sent;
  // A stored secret is for the provider that it was stored with.
  const same = before?.clientId === clientId && before.issuer === issuer ? before : undefined;
  return {
    issuer,
    clientId,
    clientSecret: secretOf('identity_provider.client_secret', secret, same?.clientSecret),
  };
}

const or = <T, U>(sent: T | undefined, before: U): T | U => (sent === undefined ? before : sent);

/**
 * The server with what was sent; what was not sent stays.
 * @throws AppError 422 naming a secret that has to be sent again
 */
export function mergedServer(before: McpServer, sent: SentServer, updatedAt: Date): McpServer {
  const identityScheme = or(sent.identity_scheme, before.identityScheme) ?? 'none';
  const connectionUrl = or(sent.connection_url, before.connectionUrl);
  const tokenExchange = mergedExchange(before.tokenExchange, sent.token_exchange);
  return {
    ...before,
    name: sent.name ?? before.name,
    visibility: sent.visibility ?? before.visibility,
    transport: sent.transport ?? before.transport,
    connectionUrl,
    command: or(sent.command, before.command),
    args: mergedArgs(before.args, sent.args),
    env: mergedEnv(before.env, sent.env),
    identityScheme,
    authType: mergedAuthType(before, sent, identityScheme),
    oauthClient: mergedClient(before, { connectionUrl, tokenExchange }, sent.oauth_client),
    tokenExchange,
    identityProvider: mergedProvider(before.identityProvider, sent.identity_provider),
    lostSecrets: before.lostSecrets.filter((name) => sent[name] === undefined),
    updatedAt,
  };
}
