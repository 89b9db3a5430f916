import type { Queries } from '#base/db/database.ts';

export interface ClientRow {
  gatewayId: string;
  clientId: string;
  name: string;
  redirectUris: string[];
  metadata: Buffer;
  createdAt: Date;
}

export async function putClient(db: Queries, client: ClientRow): Promise<void> {
  await db.query(
    `insert into agent_gateway.oauth_clients (gateway_id, client_id, name, redirect_uris, metadata, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (gateway_id, client_id) do update
       set name = excluded.name, redirect_uris = excluded.redirect_uris, metadata = excluded.metadata`,
    [client.gatewayId, client.clientId, client.name, client.redirectUris, client.metadata, client.createdAt],
  );
}

export async function findClient(
  db: Queries,
  gatewayId: string,
  clientId: string,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ metadata: Buffer }>(
    'select metadata from agent_gateway.oauth_clients where gateway_id = $1 and client_id = $2',
    [gatewayId, clientId],
  );
  return row?.metadata;
}

/** The client was used: a user consented, or a token was issued. */
export async function touchClient(
  db: Queries,
  gatewayId: string,
  clientId: string,
  now: Date,
): Promise<void> {
  await db.query(
    'update agent_gateway.oauth_clients set used_at = $3 where gateway_id = $1 and client_id = $2',
    [gatewayId, clientId, now],
  );
}

export async function deleteClient(db: Queries, gatewayId: string, clientId: string): Promise<void> {
  await db.query('delete from agent_gateway.oauth_clients where gateway_id = $1 and client_id = $2', [
    gatewayId,
    clientId,
  ]);
}

/** Its name and where it is sent back to; undefined for one that has not registered. */
export async function findRegistered(
  db: Queries,
  gatewayId: string,
  clientId: string,
): Promise<Pick<ClientRow, 'name' | 'redirectUris'> | undefined> {
  const [row] = await db.query<Pick<ClientRow, 'name' | 'redirectUris'>>(
    `select name, redirect_uris as "redirectUris" from agent_gateway.oauth_clients
      where gateway_id = $1 and client_id = $2`,
    [gatewayId, clientId],
  );
  return row;
}

/** Deletes unused clients except the newest `keep`. */
export async function keepNewestUnused(db: Queries, gatewayId: string, keep: number): Promise<void> {
  await db.query(
    `delete from agent_gateway.oauth_clients c where c.gateway_id = $1 and c.used_at is null and c.client_id in (
       select client_id from agent_gateway.oauth_clients where gateway_id = $1 and used_at is null
        order by created_at desc, client_id offset $2)`,
    [gatewayId, keep],
  );
}

/** Deletes clients of all gateways: never used ones, and those unused for a long time. */
export async function deleteUnusedClients(
  db: Queries,
  { neverUsedSince, unusedSince }: { neverUsedSince: Date; unusedSince: Date },
): Promise<void> {
  await db.query(
    `delete from agent_gateway.oauth_clients c
      where (c.used_at is null and c.created_at < $1 or c.used_at < $2)
        and not exists (select from agent_gateway.oauth_consents o
          where o.gateway_id = c.gateway_id and o.client_id = c.client_id)`,
    [neverUsedSince, unusedSince],
  );
}

export type ListedClient = {
  clientId: string;
  name: string;
  redirectUris: string[];
  /** Whether it registered dynamically; otherwise it has a metadata document. */
  registered: boolean;
  createdAt: Date;
  usedAt: Date | null;
  consents: number;
};

/** Registered clients, and clients with a metadata document that a user consented to; newest first. */
export async function listClients(
  db: Queries,
  gatewayId: string,
  { limit, offset }: { limit: number; offset: number },
  now: Date,
): Promise<{ clients: ListedClient[]; total: number }> {
  const all = `
    with consented as (
      select client_id, (array_agg(client_name order by created_at desc))[1] as name, min(created_at) as created_at,
        max(used_at) as used_at, count(*) as consents
      from agent_gateway.oauth_consents where gateway_id = $1 and expires_at > $2 group by client_id),
    known as (
      select c.client_id, c.name, c.redirect_uris, true as registered, c.created_at, c.used_at,
        coalesce(o.consents, 0) as consents
      from agent_gateway.oauth_clients c left join consented o using (client_id) where c.gateway_id = $1
      union all
      select o.client_id, o.name, '{}', false, o.created_at, o.used_at, o.consents from consented o
      where not exists (select from agent_gateway.oauth_clients c
        where c.gateway_id = $1 and c.client_id = o.client_id))`;
  const [counted] = await db.query<{ total: number }>(`${all} select count(*) as total from known`, [
    gatewayId,
    now,
  ]);
  const clients = await db.query<ListedClient>(
    `${all} select client_id as "clientId", name, redirect_uris as "redirectUris", registered,
       created_at as "createdAt", used_at as "usedAt", consents
      from known order by created_at desc, client_id limit $3 offset $4`,
    [gatewayId, now, limit, offset],
  );
  return { clients, total: counted?.total ?? 0 };
}
