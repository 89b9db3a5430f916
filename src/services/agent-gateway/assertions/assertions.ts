/** Signs JWTs about the caller. Each is valid for one server and one minute. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { newUuid } from '#base/ids.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Caller } from '#identity/caller.ts';
import { deleteKeys, insertKey, listKeys, type SigningKey } from './key-store.ts';
import { currentOf, nextFrom, publishedAroundMs, signerOf } from './rotation.ts';

export interface AssertionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  /** The issuer: the base URL of this service. */
  readonly base: () => string;
  /** How long a key signs. */
  readonly keyDays: number;
}

const algorithm = 'ES256';
const assertionSeconds = 60;
/**
 * Maximum delay until a key of another process is seen; much shorter than the time between its publication and first
 * use.
 */
const keptMs = 60_000;
const dayMs = 86_400_000;

async function newKey(): Promise<SigningKey['jwk']> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: algorithm, use: 'sig' };
}

const publicPart = ({ kty, crv, x, y, kid, alg, use }: JWK) => ({ kty, crv, x, y, kid, alg, use }) as JWK;

export class Assertions {
  readonly #deps: AssertionsDeps;
  readonly #imported = new Map<string, ReturnType<typeof importJWK>>();
  #known: { readonly keys: Promise<readonly SigningKey[]>; readonly untilMs: number } | undefined;

  constructor(deps: AssertionsDeps) {
    this.#deps = deps;
  }

  /**
   * @param subject whom the token is about: a caller, or the gateway itself as the client of one server
   * @param audience the server that may accept the token
   */
  async sign(
    subject: Pick<Caller, 'userId' | 'username' | 'email' | 'tenantId'>,
    audience: string,
  ): Promise<string> {
    const { clock, base } = this.#deps;
    const { userId, username, email, tenantId } = subject;
    const signer = signerOf(await this.#keys(), clock.now());
    if (signer === undefined) throw new Error('No signing key for assertions about callers is valid now.');
    const issuedAt = Math.floor(clock.now() / 1000);
    return new SignJWT({
      preferred_username: username,
      ...(email !== undefined && { email }),
      tenant: tenantId,
    })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: signer.jwk.kid })
      .setIssuer(base())
      .setAudience(audience)
      .setSubject(userId)
      .setJti(newUuid(clock.now()))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + assertionSeconds)
      .sign(await this.#privateKeyOf(signer.jwk));
  }

  /** The published public keys: current ones, the next one, and old ones whose tokens may still be valid. */
  async publicKeys(): Promise<{ keys: JWK[] }> {
    return { keys: (await this.#keys()).map(({ jwk }) => publicPart(jwk)) };
  }

  #keys(): Promise<readonly SigningKey[]> {
    const { clock } = this.#deps;
    if (this.#known !== undefined && clock.now() < this.#known.untilMs) return this.#known.keys;
    const loading = { keys: this.#load(), untilMs: clock.now() + Math.min(keptMs, publishedAroundMs) };
    this.#known = loading;
    loading.keys.catch(() => {
      if (this.#known === loading) this.#known = undefined;
    });
    return loading.keys;
  }

  /** Creates the next key when it is due, and deletes expired ones. */
  async #load(): Promise<readonly SigningKey[]> {
    const { db, clock, vault, keyDays } = this.#deps;
    const nowMs = clock.now();
    const keys = await listKeys(db, vault);
    const from = nextFrom(keys, nowMs, keyDays * dayMs);
    const current = currentOf(keys, nowMs);
    const expired = keys.filter((key) => !current.includes(key)).map(({ generation }) => generation);
    if (expired.length > 0) await deleteKeys(db, expired);
    if (from === undefined) return current;
    await insertKey(db, vault, {
      generation: (keys.at(-1)?.generation ?? 0) + 1,
      jwk: await newKey(),
      publishedAt: new Date(nowMs),
      signsFrom: new Date(from),
    });
    return currentOf(await listKeys(db, vault), nowMs);
  }

  #privateKeyOf(jwk: SigningKey['jwk']): ReturnType<typeof importJWK> {
    const found = this.#imported.get(jwk.kid) ?? importJWK(jwk, algorithm);
    this.#imported.set(jwk.kid, found);
    return found;
  }
}
