import type { Clock } from '#base/clock.ts';
import { toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Audit } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { oauthOperations } from '../contract/oauth.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import type { NameOf, UserNames } from '#identity/users/user-names.ts';
import type { Gateways } from '../registry/gateways/gateways.ts';
import { deleteClient, findRegistered, listClients, type ListedClient } from './client-store.ts';
import { consentsOfClient, findConsent, listConsents, type Consent } from './consent-store.ts';
import type { Grants } from './grants.ts';

export interface ManagementDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly gateways: Gateways;
  readonly grants: Grants;
  readonly audit: Audit;
  readonly userNames: UserNames;
}

const viewClient = (client: ListedClient) => ({
  client_id: client.clientId,
  name: client.name,
  kind: client.registered ? ('registered' as const) : ('metadata_document' as const),
  redirect_uris: client.redirectUris,
  consents: client.consents,
  created_at: toIsoTime(client.createdAt),
  last_used_at: client.usedAt === null ? null : toIsoTime(client.usedAt),
});

const viewConsent = (consent: Consent, nameOf: NameOf) => ({
  id: consent.grantId,
  user_id: consent.userId,
  user_name: nameOf(consent.userId),
  client_id: consent.clientId,
  client_name: consent.clientName,
  redirect_host: consent.redirectHost,
  scopes: consent.scopes,
  created_at: toIsoTime(consent.createdAt),
  last_used_at: toIsoTime(consent.usedAt),
  expires_at: toIsoTime(consent.expiresAt),
});

export const managementHandlers = ({
  db,
  clock,
  gateways,
  grants,
  audit,
  userNames,
}: ManagementDeps): Handlers<typeof oauthOperations, Caller> => {
  const now = () => new Date(clock.now());
  return {
    async listOAuthClients({ caller, params, query }) {
      const { gatewayId } = await gateways.getOwn(caller, params.gateway_id);
      const { clients, total } = await listClients(db, gatewayId, query, now());
      return { clients: clients.map(viewClient), total };
    },
    async deleteOAuthClient({ caller, params, request }) {
      const { gatewayId, name: gateway } = await gateways.getOwn(caller, params.gateway_id);
      const { client_id: clientId } = params;
      const registered = await findRegistered(db, gatewayId, clientId);
      const grantIds = await consentsOfClient(db, gatewayId, clientId);
      if (registered === undefined && grantIds.length === 0) throw notFound('The client');
      await grants.end(gatewayId, grantIds, async (tx) => {
        await deleteClient(tx, gatewayId, clientId);
        const changes = changesBetween({ ...registered, consents: grantIds.length }, undefined);
        const details = {
          name: registered?.name ?? clientId,
          gateway_id: gatewayId,
          gateway,
          client_id: clientId,
          changes,
        };
        await audit({ event: 'oauth_client_removed', caller, request, details }, tx);
      });
      return { message: 'The client was removed, and its tokens have ended.' };
    },
    async listOAuthConsents({ caller, params, query }) {
      const gateway = await gateways.ofTenant(caller, params.gateway_id);
      const { gatewayId } = gateway;
      const userId = mayChange(viewerOf(caller), gateway) ? undefined : caller.userId;
      const filter = { ...query, clientId: query.client_id, userId };
      const { consents, total } = await listConsents(db, gatewayId, filter, now());
      // Users without consents get 404 for gateways that they may not read.
      if (total === 0) await gateways.get(caller, gatewayId);
      const nameOf = await userNames(consents.map((consent) => consent.userId));
      return { consents: consents.map((consent) => viewConsent(consent, nameOf)), total };
    },
    async revokeOAuthConsent({ caller, params, request }) {
      const gateway = await gateways.ofTenant(caller, params.gateway_id);
      const { gatewayId } = gateway;
      const consent = await findConsent(db, params.consent_id, now());
      const isTheirs = mayChange(viewerOf(caller), gateway) || consent?.userId === caller.userId;
      if (consent?.gatewayId !== gatewayId || !isTheirs) throw notFound('The consent');
      await grants.end(gatewayId, [consent.grantId], async (tx) => {
        const { clientId, clientName, scopes, redirectHost, userId, expiresAt } = consent;
        const changes = changesBetween({ userId, scopes, redirectHost, expiresAt }, undefined);
        const details = {
          name: clientName,
          gateway_id: gatewayId,
          gateway: gateway.name,
          client_id: clientId,
          changes,
        };
        await audit({ event: 'oauth_consent_ended', caller, request, details }, tx);
      });
      return { message: `The access of "${consent.clientName}" has ended.` };
    },
  };
};
