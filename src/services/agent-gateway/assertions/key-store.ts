/** SQL for the keys that sign assertions about callers; private keys are stored encrypted. */
import type { JWK } from 'jose';
import type { Queries } from '#base/db/database.ts';
import { unavailable } from '#base/errors.ts';
import { isCurrentKey } from '#base/secrets/key-check.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';

export interface SigningKey {
  readonly generation: number;
  /** The private key. */
  readonly jwk: JWK & { readonly kid: string };
  readonly publishedAt: Date;
  readonly signsFrom: Date;
}

type Row = Omit<SigningKey, 'jwk'> & { sealed: Buffer };

const placeOf = (generation: number | string) => `agent_gateway.identity_keys:${generation}`;

export const sealedIdentityKeys: SealedColumn = {
  table: 'agent_gateway.identity_keys',
  column: 'sealed',
  keys: ['generation'],
  place: placeOf,
};

/** Oldest first. */
export async function listKeys(db: Queries, vault: Vault): Promise<SigningKey[]> {
  const rows = await db.query<Row>(
    `select generation, sealed, published_at as "publishedAt", signs_from as "signsFrom"
      from agent_gateway.identity_keys order by generation`,
  );
  const keys: SigningKey[] = [];
  for (const { sealed, ...key } of rows) {
    const jwk = vault.find(sealed, placeOf(key.generation));
    if (jwk !== undefined) {
      keys.push({ ...key, jwk: JSON.parse(jwk) as SigningKey['jwk'] });
      continue;
    }
    if (!(await isCurrentKey(db, vault.check)))
      throw unavailable('This process was started with a secret key that has been replaced.');
    // The key cannot be decrypted any more; a new one replaces it.
    await deleteKeys(db, [key.generation]);
  }
  return keys;
}

/** Does nothing if another process created the key of this generation first. */
export async function insertKey(
  db: Queries,
  vault: Vault,
  { generation, jwk, publishedAt, signsFrom }: SigningKey,
): Promise<void> {
  await db.query(
    `insert into agent_gateway.identity_keys (generation, kid, sealed, published_at, signs_from)
      values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [generation, jwk.kid, vault.seal(JSON.stringify(jwk), placeOf(generation)), publishedAt, signsFrom],
  );
}

export async function deleteKeys(db: Queries, generations: readonly number[]): Promise<void> {
  await db.query('delete from agent_gateway.identity_keys where generation = any($1)', [generations]);
}
