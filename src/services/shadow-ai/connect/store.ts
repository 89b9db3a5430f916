import type { Queries } from '#base/db/database.ts';

export interface ConnectionFilter {
  readonly tenantId: string;
  readonly from: Date;
  readonly to: Date;
  readonly connectorId?: string | undefined;
  readonly providerId?: string | undefined;
}

const source = `shadow_ai.telemetry t
  where t.dimension = 'network' and t.provider_id is not null and t.inbound is not true
    and t.tenant_id = $1 and t.at >= $2 and t.at <= $3 and ($4::text is null or t.connector_id = $4)
    and ($5::text is null or t.provider_id = $5)`;

const valuesOf = ({ tenantId, from, to, connectorId, providerId }: ConnectionFilter) => [
  tenantId,
  from,
  to,
  connectorId,
  providerId,
];

export interface ConnectSummary {
  readonly connections: number;
  readonly users: number;
  readonly devices: number;
  readonly providers: number;
}

export async function summarise(db: Queries, filter: ConnectionFilter): Promise<ConnectSummary> {
  const [row] = await db.query<ConnectSummary & Record<string, unknown>>(
    `select count(*) as connections, count(distinct t.user_name) as users, count(distinct t.device_uid) as devices,
       count(distinct t.provider_id) as providers from ${source}`,
    valuesOf(filter),
  );
  return row ?? { connections: 0, users: 0, devices: 0, providers: 0 };
}

export interface ProviderCount {
  readonly providerId: string;
  readonly connections: number;
  readonly users: number;
  readonly devices: number;
  readonly lastSeen: Date;
}

export const countByProvider = (
  db: Queries,
  filter: ConnectionFilter,
): Promise<(ProviderCount & Record<string, unknown>)[]> =>
  db.query(
    `select t.provider_id as "providerId", count(*) as connections, count(distinct t.user_name) as users,
       count(distinct t.device_uid) as devices, max(t.at) as "lastSeen" from ${source}
     group by t.provider_id order by connections desc, "providerId"`,
    valuesOf(filter),
  );

export interface AppCount {
  readonly appName: string;
  readonly connections: number;
  readonly providers: number;
  readonly users: number;
  readonly lastSeen: Date;
}

/** Programs by their file names; those without one are not among them. */
export const countByApp = (
  db: Queries,
  filter: ConnectionFilter,
  limit: number,
): Promise<(AppCount & Record<string, unknown>)[]> =>
  db.query(
    `select t.app_name as "appName", count(*) as connections, count(distinct t.provider_id) as providers,
       count(distinct t.user_name) as users, max(t.at) as "lastSeen" from ${source} and t.app_name is not null
     group by t.app_name order by connections desc, "appName" limit $6`,
    [...valuesOf(filter), limit],
  );

export interface Connection {
  readonly at: Date;
  readonly connectorId: string;
  readonly deviceUid: string;
  readonly deviceName: string | null;
  readonly userName: string | null;
  readonly appName: string | null;
  readonly commandLine: string | null;
  readonly host: string | null;
  readonly ip: string | null;
  readonly port: number | null;
  readonly providerId: string;
}

/** Newest first. */
export const listConnections = (
  db: Queries,
  filter: ConnectionFilter,
  limit: number,
): Promise<(Connection & Record<string, unknown>)[]> =>
  db.query(
    `select n.*, v.name as "deviceName" from (
       select t.at, t.event_key, t.connector_id as "connectorId", t.device_uid as "deviceUid", t.user_name as "userName",
         t.app_name as "appName", t.command_line as "commandLine", t.host, t.ip, t.port, t.provider_id as "providerId"
       from ${source} order by t.at desc, t.event_key limit $6) n
     left join shadow_ai.devices v on v.tenant_id = $1 and v.device_uid = n."deviceUid"
     order by n.at desc, n.event_key`,
    [...valuesOf(filter), limit],
  );
