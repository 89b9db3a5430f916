import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log/log.ts';
import { unauthorized } from '../challenges.ts';
import { fetchJson } from './fetch-json.ts';

const minute = 60 * 1000;
/** How long cached keys are used, in case the issuer revokes one. */
const freshMs = 10 * minute;
/** … unless the issuer cannot be reached. */
const staleMs = 60 * minute;
/** Minimum interval of requests to the issuer, even if many tokens name unknown keys. */
const cooldownMs = 5000;

/** An issuer's name as in its tokens, and its public keys. */
export interface KeySet {
  issuer: string;
  getKey: JWTVerifyGetKey;
}

/** The keys of an OpenID Connect issuer, found by discovery and fetched again when they change. */
export interface IssuerKeys {
  /**
   * @param renew ask the issuer again, because a token names a key that is not among them.
   * @throws AppError 401 `server_misconfigured` when there are none to be had.
   */
  current(renew: boolean): Promise<KeySet>;
}

const withoutSlash = (url: string) => url.replace(/\/$/, '');

async function discover(configured: string): Promise<KeySet> {
  const document = await fetchJson(`${withoutSlash(configured)}/.well-known/openid-configuration`);
  const { issuer, jwks_uri: address } = document;
  if (typeof issuer !== 'string' || withoutSlash(issuer) !== withoutSlash(configured))
    throw new Error(
      `${configured} identifies itself as ${JSON.stringify(issuer)}; set oidc.issuer to exactly that`,
    );
  if (typeof address !== 'string' || !URL.canParse(address))
    throw new Error(`${configured} names no jwks_uri in its discovery document`);
  if (new URL(configured).protocol === 'https:' && new URL(address).protocol !== 'https:')
    throw new Error(`the jwks_uri ${address} is not safe: it must begin with https://`);
  const keys = await fetchJson(address);
  return { issuer, getKey: createLocalJWKSet(keys as unknown as JSONWebKeySet) };
}

export function createIssuerKeys(
  configured: string,
  { clock, log }: { clock: Clock; log: Logger },
): IssuerKeys {
  let known: (KeySet & { fetchedAtMs: number }) | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const fetchKeys = async () => {
    triedAtMs = clock.now();
    try {
      known = { ...(await discover(configured)), fetchedAtMs: clock.now() };
    } catch (error) {
      log.warn({ err: error, issuer: configured }, 'the keys of the OpenID Connect issuer cannot be fetched');
    } finally {
      fetching = undefined;
    }
  };
  const isYounger = (ageMs: number) => known !== undefined && clock.now() - known.fetchedAtMs < ageMs;

  return {
    async current(renew) {
      const wanted = renew || !isYounger(freshMs);
      if (wanted && fetching === undefined && clock.now() - triedAtMs >= cooldownMs) fetching = fetchKeys();
      // With usable keys, do not wait for a slow issuer.
      if (fetching !== undefined && (renew || !isYounger(freshMs))) await fetching;
      if (known !== undefined && isYounger(staleMs)) return known;
      throw unauthorized(
        'server_misconfigured',
        'Tokens of the OpenID Connect issuer cannot be verified now: it did not respond correctly. Details are in the log.',
      );
    },
  };
}
