import type { Queries } from '#base/db/database.ts';

export interface ConnectionFilter {
  readonly tenantId: string;
  readonly from: Date;
  readonly to: Date;
  readonly connectorId?: string | undefined;
  readonly providerId?: string | undefined;
}

const valuesOf = ({ tenantId, from, to, connectorId, providerId }: ConnectionFilter) => [
  tenantId,
  from,
  to,
  connectorId,
  providerId,
];

const ofFilter = (table: string) =>
  `${table}.tenant_id = $1 and ($4::text is null or ${table}.connector_id = $4)
   and ($5::text is null or ${table}.provider_id = $5)`;

const hourMs = 3_600_000;

/** The whole hours of the window, and the rest before and after them; all of it is before where there are none. */
function hoursOf({ from, to }: ConnectionFilter) {
  const first = Math.ceil(from.getTime() / hourMs) * hourMs;
  const end = Math.floor((to.getTime() + 1) / hourMs) * hourMs;
  if (first >= end) return { first: to, end: from, beforeTo: to, afterFrom: new Date(to.getTime() + 1) };
  return {
    first: new Date(first),
    end: new Date(end),
    beforeTo: new Date(first - 1),
    afterFrom: new Date(end),
  };
}

function countedValuesOf(filter: ConnectionFilter) {
  const { first, end, beforeTo, afterFrom } = hoursOf(filter);
  return [...valuesOf(filter), first, end, beforeTo, afterFrom];
}

const single = (bounds: string) => `
  select t.provider_id, coalesce(t.app_name, ''), 1, t.at from shadow_ai.connections t
  where ${ofFilter('t')} and ${bounds}`;

/** Connections in the window: whole hours as they were counted, and of the hours that are cut the events themselves. */
const counted = `(
  select h.provider_id, h.app_name, h.connections, h.last_at from shadow_ai.connect_hours h
  where ${ofFilter('h')} and h.hour_at >= $6 and h.hour_at < $7
  union all ${single('t.at >= $2 and t.at <= $8')}
  union all ${single('t.at >= $9 and t.at <= $3')}
) c`;

/**
 * Who connected in the window. The first and the last time of a pair nearly always say so; where they lie on both sides of
 * the window and the pair was silent for longer than that, its days do, and where those of a day do, the events.
 */
const connected = `(
  select s.provider_id, s.app_name, nullif(s.user_name, '') as user_name, s.device_uid from shadow_ai.connect_pairs s
  where ${ofFilter('s')} and s.last_at >= $2 and s.first_at <= $3
    and (s.last_at <= $3 or s.first_at >= $2 or s.longest_silence <= $3::timestamptz - $2::timestamptz or exists (
      select 1 from shadow_ai.connect_days d
      where d.tenant_id = $1 and d.device_uid = s.device_uid and d.provider_id = s.provider_id and d.app_name = s.app_name
        and d.user_name = s.user_name and d.connector_id = s.connector_id
        and d.day_at > $2::timestamptz - interval '1 day' and d.day_at <= $3 and d.last_at >= $2 and d.first_at <= $3
        and (d.last_at <= $3 or d.first_at >= $2 or exists (
          select 1 from shadow_ai.connections t
          where t.tenant_id = $1 and t.at between $2 and $3
            and t.device_uid = s.device_uid and t.provider_id = s.provider_id and coalesce(t.app_name, '') = s.app_name
            and coalesce(t.user_name, '') = s.user_name and t.connector_id = s.connector_id))))
) s`;

export interface ConnectSummary {
  readonly connections: number;
  readonly users: number;
  readonly devices: number;
  readonly providers: number;
}

export async function countConnections(db: Queries, filter: ConnectionFilter): Promise<number> {
  const [row] = await db.query<{ connections: number }>(
    `select coalesce(sum(c.connections), 0)::bigint as connections from ${counted}`,
    countedValuesOf(filter),
  );
  return row?.connections ?? 0;
}

export async function summarise(db: Queries, filter: ConnectionFilter): Promise<ConnectSummary> {
  const [row] = await db.query<Record<'users' | 'devices' | 'providers', number>>(
    `with seen as materialized (select * from ${connected})
     select (select count(*) from (select distinct user_name from seen where user_name is not null) u) as users,
       (select count(*) from (select distinct device_uid from seen) d) as devices,
       (select count(*) from (select distinct provider_id from seen) p) as providers`,
    valuesOf(filter),
  );
  return {
    connections: await countConnections(db, filter),
    users: row?.users ?? 0,
    devices: row?.devices ?? 0,
    providers: row?.providers ?? 0,
  };
}

/** Numbers of different people, devices or providers of each provider or program, made by hashing instead of sorting. */
const distinct = (of: string, each: string, name: string) =>
  `(select ${of}, count(*) as ${name} from (select distinct ${of}, ${each} from seen where ${each} is not null) x group by ${of})`;

export interface ProviderCount {
  readonly providerId: string;
  readonly connections: number;
  readonly users: number;
  readonly devices: number;
  readonly lastSeen: Date;
}

/** Most connections first. */
export const countByProvider = (
  db: Queries,
  filter: ConnectionFilter,
): Promise<(ProviderCount & Record<string, unknown>)[]> =>
  db.query(
    `with seen as materialized (select * from ${connected}),
       total as (select c.provider_id, sum(c.connections)::bigint as connections, max(c.last_at) as last_at
         from ${counted} group by c.provider_id)
     select t.provider_id as "providerId", t.connections, coalesce(u.users, 0) as users, coalesce(d.devices, 0) as devices,
       t.last_at as "lastSeen"
     from total t
     left join ${distinct('provider_id', 'user_name', 'users')} u on u.provider_id = t.provider_id
     left join ${distinct('provider_id', 'device_uid', 'devices')} d on d.provider_id = t.provider_id
     order by t.connections desc, t.provider_id`,
    countedValuesOf(filter),
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
    `with seen as materialized (select * from ${connected}),
       total as (select c.app_name, sum(c.connections)::bigint as connections, max(c.last_at) as last_at,
           count(distinct c.provider_id) as providers
         from ${counted} where c.app_name <> '' group by c.app_name order by connections desc, c.app_name limit $10)
     select t.app_name as "appName", t.connections, t.providers, coalesce(u.users, 0) as users, t.last_at as "lastSeen"
     from total t
     left join ${distinct('app_name', 'user_name', 'users')} u on u.app_name = t.app_name
     order by t.connections desc, t.app_name`,
    [...countedValuesOf(filter), limit],
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
    `select n.*, v.name as "deviceName", p.facts -> 'commandLine' ->> 1 as "commandLine" from (
       select t.at, t.id, t.connector_id as "connectorId", t.device_uid as "deviceUid", t.user_name as "userName",
         t.app_name as "appName", t.process_id, t.host, t.ip, t.port, t.provider_id as "providerId"
       from shadow_ai.connections t where ${ofFilter('t')} and t.at >= $2 and t.at <= $3
       order by t.at desc, t.id desc limit $6) n
     left join shadow_ai.devices v on v.tenant_id = $1 and v.device_uid = n."deviceUid"
     left join shadow_ai.processes p on p.id = n.process_id
     order by n.at desc, n.id desc`,
    [...valuesOf(filter), limit],
  );
