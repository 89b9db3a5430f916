import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#base/clock.ts';
import type { Operation } from '#base/contract/operation.ts';
import { forbidden } from '#base/errors.ts';
import type { LiveCache } from '#base/db/live-cache.ts';
import { hashOfKey, looksLikeApiKey } from './api-keys/api-keys.ts';
import type { KeyUses } from './api-keys/key-use.ts';
import { hasExpired, type ApiKey } from './api-keys/store.ts';
import { permissionsOf, type Caller } from './caller.ts';
import { unauthorized } from './challenges.ts';
import type { TokenVerifier } from './tokens/verify.ts';
import type { User } from './users/store.ts';

export interface AuthenticatorParts {
  clock: Clock;
  tokens: TokenVerifier;
  /** By id; no entry for deleted or disabled users. */
  liveUsers: LiveCache<User>;
  /** By hash. */
  liveKeys: LiveCache<ApiKey>;
  /** Told each time a key was accepted. */
  keyUses: Pick<KeyUses, 'note'>;
  /** The caller without a credential, if authentication is off. */
  anonymous: ((headers: IncomingHttpHeaders) => Promise<Caller>) | undefined;
}

/** The token of `Authorization: Bearer …`. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

type Credential = { kind: 'jwt' | 'key'; value: string };

/** A user as services see it, independent of the credential. */
export const personOf = (user: User): Omit<Caller, 'via'> => ({
  userId: user.id,
  username: user.username,
  ...(user.email !== null && { email: user.email }),
  tenantId: user.tenantId,
  tenantName: user.tenantName,
  roles: user.roles,
  permissions: permissionsOf(user.roles),
});

export const callerByKey = (user: User, { id, expiresAt }: ApiKey): Caller => ({
  ...personOf(user),
  via: 'api_key',
  apiKeyId: id,
  ...(expiresAt !== null && { keyExpiresAt: expiresAt }),
});

/** Most services make no keys themselves. */
export const createKey =
  'Create one with `bulwark keys create`, or with POST /api/api-keys of the policy guard.';

/** Whether a sign-in of that time has been revoked. */
export const isSignedOut = ({ signedOutAt }: User, since: Date | undefined): boolean =>
  signedOutAt !== null && since !== undefined && since < signedOutAt;

export class Authenticator {
  readonly #parts: AuthenticatorParts;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** Who calls; undefined for a public operation. Throws AppError 401 or 403. */
  async authenticate(operation: Operation, headers: IncomingHttpHeaders): Promise<Caller | undefined> {
    if (operation.access === 'public') return undefined;
    const { anonymous } = this.#parts;
    const keysAccepted = operation.access === 'jwt_or_key';
    const credential = credentialOf(headers, keysAccepted);
    if (credential === undefined) {
      if (anonymous !== undefined) return anonymous(headers);
      throw unauthorized('missing_auth', missingDetail(headers, keysAccepted));
    }
    if (credential.kind === 'jwt') return this.#fromToken(credential.value);
    if (keysAccepted || operation.keyScope !== undefined) return this.#fromKey(credential.value, operation);
    throw keysRefused();
  }

  /** The caller of a public operation that returns more to known callers; an invalid credential is still refused. */
  async recognise(headers: IncomingHttpHeaders): Promise<Caller | undefined> {
    const credential = credentialOf(headers, false);
    if (credential === undefined) return this.#parts.anonymous?.(headers);
    if (credential.kind === 'jwt') return this.#fromToken(credential.value);
    throw keysRefused();
  }

  async #fromKey(key: string, operation: Operation): Promise<Caller> {
    const { clock, liveKeys } = this.#parts;
    const found = looksLikeApiKey(key) ? liveKeys.get(hashOfKey(key)) : undefined;
    const apiKey = found instanceof Promise ? await found : found;
    if (apiKey === undefined)
      throw unauthorized('invalid_token', `The API key is unknown or was deleted. ${createKey}`);
    if (hasExpired(apiKey, clock.now()))
      throw unauthorized('token_expired', `The API key has expired. ${createKey}`);
    checkScope(apiKey, operation);
    const user = await this.#liveUser(apiKey.userId);
    this.#parts.keyUses.note(apiKey.id);
    return callerByKey(user, apiKey);
  }

  async #fromToken(token: string): Promise<Caller> {
    const { userId, tenantId, via, issuedAt } = await this.#parts.tokens.verify(token);
    const user = await this.#liveUser(userId);
    if (user.tenantId !== tenantId)
      throw unauthorized('invalid_token', 'The user has moved to another tenant. Sign in again.');
    if (isSignedOut(user, issuedAt))
      throw unauthorized('invalid_token', 'All sessions of the user were revoked. Sign in again.');
    return { ...personOf(user), via };
  }

  async #liveUser(userId: string): Promise<User> {
    const found = this.#parts.liveUsers.get(userId);
    const user = found instanceof Promise ? await found : found;
    if (user === undefined)
      throw unauthorized('invalid_token', 'The user of this credential was deleted or disabled.');
    return user;
  }
}

const keysRefused = () =>
  unauthorized(
    'invalid_token',
    'This operation does not accept API keys. Send an access token from /auth/login as Authorization: Bearer.',
  );

/** A key may use only the operations of its scope; operations that accept keys without naming a scope need `all`. */
function checkScope({ scope }: ApiKey, { access, keyScope }: Operation): void {
  if (scope === (access === 'jwt' ? keyScope : 'all')) return;
  if (access === 'jwt_or_key')
    throw forbidden(`This API key has the scope ${scope}; this operation needs one with the scope all.`);
  throw unauthorized(
    'invalid_token',
    `This operation does not accept API keys with the scope ${scope}. Send one with the scope ${keyScope}, or an ` +
      'access token from /auth/login as Authorization: Bearer.',
  );
}

/** The credential that the operation prefers, if both are sent. */
function credentialOf(headers: IncomingHttpHeaders, keyFirst: boolean): Credential | undefined {
  const bearer = bearerOf(headers.authorization);
  const sent = headers['x-api-key'];
  const key = Array.isArray(sent) ? sent.join() : sent;
  if (key !== undefined && key !== '' && (keyFirst || bearer === undefined))
    return { kind: 'key', value: key };
  if (bearer === undefined) return undefined;
  return { kind: bearer.startsWith('blwk_') ? 'key' : 'jwt', value: bearer };
}

function missingDetail({ authorization }: IncomingHttpHeaders, keysAccepted: boolean): string {
  const ways = keysAccepted
    ? 'an access token from /auth/login as Authorization: Bearer, or an API key as X-API-Key'
    : 'an access token from /auth/login as Authorization: Bearer';
  return authorization === undefined || authorization === ''
    ? `This operation needs a credential: ${ways}.`
    : `The Authorization header is invalid. Send ${ways}.`;
}
