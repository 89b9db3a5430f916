/**
 * Storage of an authorization server. The database contains no value that a client or browser holds: ids are hashed,
 * and payloads are encrypted and bound to their row.
 */
import { hash } from 'node:crypto';
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { findClient, putClient, touchClient } from './client-store.ts';
import { touchConsent } from './consent-store.ts';
import type { Grants } from './grants.ts';
import * as store from './store.ts';

export interface AdapterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly grants: Grants;
  readonly gatewayId: string;
}

/** Expiry of records that have none of their own. */
const dayMs = 86_400_000;

export const hashOf = (id: string): string => hash('sha256', id, 'base64url');

const placeOf = (gatewayId: string, kind: string, idHash: string) =>
  `gateway_oauth:${gatewayId}:${kind}:${idHash}`;

const clientPlace = (gatewayId: string, clientId: string) => `gateway_oauth_client:${gatewayId}:${clientId}`;

export const sealedClients: SealedColumn = {
  table: 'agent_gateway.oauth_clients',
  column: 'metadata',
  keys: ['gateway_id', 'client_id'],
  place: clientPlace,
};

/** Sign-ins at an issuer have records of their own kinds. */
export const sealedRecords = (
  ofSignIn: (kind: string, idHash: string) => string | undefined,
): SealedColumn => ({
  table: 'agent_gateway.oauth_records',
  column: 'payload',
  keys: ['gateway_id', 'kind', 'id_hash'],
  place: (gatewayId, kind, idHash) => ofSignIn(kind, idHash) ?? placeOf(gatewayId, kind, idHash),
});

function clientAdapter({ db, clock, vault, gatewayId }: AdapterDeps): Adapter {
  const unused = () => Promise.resolve(undefined);
  return {
    async upsert(clientId, payload) {
      await putClient(db, {
        gatewayId,
        clientId,
        name: payload.client_name ?? '',
        redirectUris: [...(payload.redirect_uris ?? [])],
        metadata: vault.seal(JSON.stringify(payload), clientPlace(gatewayId, clientId)),
        createdAt: new Date(clock.now()),
      });
    },
    async find(clientId) {
      const sealed = await findClient(db, gatewayId, clientId);
      // A client that cannot be decrypted is unknown and registers again.
      const text = sealed && vault.find(sealed, clientPlace(gatewayId, clientId));
      return text === undefined ? undefined : (JSON.parse(text) as AdapterPayload);
    },
    findByUserCode: unused,
    findByUid: unused,
    consume: unused,
    destroy: unused,
    revokeByGrantId: unused,
  };
}

/** Tokens were issued or are about to be. */
const isUse = (kind: string) => kind === 'AuthorizationCode' || kind === 'RefreshToken';

function recordAdapter(deps: AdapterDeps, kind: string): Adapter {
  const { db, clock, vault, grants, gatewayId } = deps;
  const now = () => new Date(clock.now());
  const keyOf = (id: string) => ({ gatewayId, kind, idHash: hashOf(id) });

  const open = (found: store.StoredRecord | undefined): AdapterPayload | undefined => {
    if (found === undefined) return undefined;
    const text = vault.find(found.payload, placeOf(gatewayId, kind, found.idHash));
    if (text === undefined) return undefined;
    const { consumedAt } = found;
    return {
      ...(JSON.parse(text) as AdapterPayload),
      ...(consumedAt !== null && { consumed: Math.floor(consumedAt.getTime() / 1000) }),
    };
  };

  return {
    async upsert(id, payload, expiresIn) {
      const key = keyOf(id);
      const createdAt = now();
      await store.putRecord(db, {
        ...key,
        payload: vault.seal(JSON.stringify(payload), placeOf(gatewayId, kind, key.idHash)),
        uidHash: payload.uid === undefined ? null : hashOf(payload.uid),
        grantId: kind === 'Grant' ? id : (payload.grantId ?? null),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + (expiresIn === undefined ? dayMs : expiresIn * 1000)),
      });
      if (!isUse(kind)) return;
      if (payload.grantId !== undefined) await touchConsent(db, payload.grantId, createdAt);
      if (payload.clientId !== undefined) await touchClient(db, gatewayId, payload.clientId, createdAt);
    },
    find: async (id) => open(await store.findRecord(db, keyOf(id), now())),
    findByUid: async (uid) =>
      open(await store.findRecordByUid(db, { gatewayId, kind, uidHash: hashOf(uid) }, now())),
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      if (await store.consumeRecord(db, keyOf(id), now())) return;
      // A code or refresh token was used twice, so one of the users may not be the client.
      const found = await store.findRecord(db, keyOf(id), now());
      if (found?.grantId) await grants.end(gatewayId, [found.grantId]);
      throw new errors.InvalidGrant('it was used already');
    },
    async destroy(id) {
      const grantId = await store.deleteRecord(db, keyOf(id));
      if (kind === 'Grant' && grantId !== null) await grants.end(gatewayId, [grantId]);
    },
    revokeByGrantId: (grantId) => grants.end(gatewayId, [grantId]),
  };
}

export const createAdapter =
  (deps: AdapterDeps): AdapterFactory =>
  (kind) =>
    kind === 'Client' ? clientAdapter(deps) : recordAdapter(deps, kind);
