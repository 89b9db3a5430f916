/** Keys of each gateway: signing keys for its tokens, and keys for its cookies. */
import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWK_EC_Public } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { isForeignKeyViolation } from '#base/db/errors.ts';
import { notFound, unavailable } from '#base/errors.ts';
import { isCurrentKey } from '#base/secrets/key-check.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';

export const signingAlgorithm = 'ES256';

export interface GatewayKeys {
  /** Private keys. */
  readonly jwks: { readonly keys: readonly JWK[] };
  readonly cookieKeys: readonly string[];
}

export interface KeysDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
}

/** The public part of a key. */
export const publicPart = ({ kty = '', crv, x, y, kid, alg, use }: JWK) =>
  ({ kty, crv, x, y, kid, alg, use }) as JWK_EC_Public & { kty: string };

const remembered = 1000;
const place = (gatewayId: string) => `gateway_oauth_keys:${gatewayId}`;

export const sealedKeys: SealedColumn = {
  table: 'agent_gateway.oauth_keys',
  column: 'keys',
  keys: ['gateway_id'],
  place: place,
};

async function newKeys(): Promise<GatewayKeys> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    jwks: { keys: [{ ...jwk, kid, alg: signingAlgorithm, use: 'sig' }] },
    cookieKeys: [randomBytes(32).toString('base64url')],
  };
}

/** @returns the keys of a gateway, created on first use. Throws AppError 404 if the gateway does not exist. */
export function createKeys({ db, clock, vault }: KeysDeps): (gatewayId: string) => Promise<GatewayKeys> {
  const cache = new LRUCache<string, Promise<GatewayKeys>>({ max: remembered });

  const read = async (gatewayId: string): Promise<GatewayKeys | undefined> => {
    const [row] = await db.query<{ keys: Buffer }>(
      'select keys from agent_gateway.oauth_keys where gateway_id = $1',
      [gatewayId],
    );
    if (row === undefined) return undefined;
    const keys = vault.find(row.keys, place(gatewayId));
    if (keys !== undefined) return JSON.parse(keys) as GatewayKeys;
    if (!(await isCurrentKey(db, vault.check)))
      throw unavailable('This process was started with a secret key that has been replaced.');
    // They were encrypted with a lost key: new ones are created, and clients must sign in again.
    await db.query('delete from agent_gateway.oauth_keys where gateway_id = $1 and keys = $2', [
      gatewayId,
      row.keys,
    ]);
    return undefined;
  };

  const make = async (gatewayId: string): Promise<void> => {
    const sealed = vault.seal(JSON.stringify(await newKeys()), place(gatewayId));
    try {
      // If another process was first, its keys are used.
      await db.query(
        `insert into agent_gateway.oauth_keys (gateway_id, keys, created_at) values ($1, $2, $3)
         on conflict do nothing`,
        [gatewayId, sealed, new Date(clock.now())],
      );
    } catch (error) {
      throw isForeignKeyViolation(error) ? notFound(`The gateway ${gatewayId}`) : error;
    }
  };

  const load = async (gatewayId: string): Promise<GatewayKeys> => {
    const found = await read(gatewayId);
    if (found !== undefined) return found;
    await make(gatewayId);
    const made = await read(gatewayId);
    if (made === undefined) throw notFound(`The gateway ${gatewayId}`);
    return made;
  };

  return (gatewayId) => {
    const known = cache.get(gatewayId);
    if (known !== undefined) return known;
    const loading = load(gatewayId);
    cache.set(gatewayId, loading);
    loading.catch(() => cache.delete(gatewayId));
    return loading;
  };
}
