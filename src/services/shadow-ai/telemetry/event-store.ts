import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { StoredEvent } from './stored-event.ts';

const columnOf: Readonly<Record<keyof StoredEvent, string>> = {
  id: 'id',
  content: 'content',
  at: 'at',
  dimension: 'dimension',
  processId: 'process_id',
  deviceUid: 'device_uid',
  connectorId: 'connector_id',
  userName: 'user_name',
  appName: 'app_name',
  commandLine: 'command_line',
  host: 'host',
  ip: 'ip',
  port: 'port',
  inbound: 'inbound',
  filePath: 'file_path',
  action: 'action',
  providerId: 'provider_id',
  isApi: 'is_api',
  fileRule: 'file_rule',
  tags: 'tags',
};
const fields = Object.keys(columnOf) as (keyof StoredEvent)[];
const columns = ['tenant_id', ...Object.values(columnOf)];

/** What says whether a row of a kept event replaces it, and where the kept one was counted. */
export type KnownEvent = Pick<
  StoredEvent,
  | 'id'
  | 'at'
  | 'content'
  | 'host'
  | 'dimension'
  | 'inbound'
  | 'providerId'
  | 'connectorId'
  | 'appName'
  | 'userName'
  | 'deviceUid'
>;

/** Those of the events that are kept already. */
export const findEvents = (
  tx: Queries,
  tenantId: string,
  events: readonly StoredEvent[],
): Promise<(KnownEvent & Record<string, unknown>)[]> =>
  tx.query(
    `select t.id, t.at, t.content, t.host, t.dimension, t.inbound, t.provider_id as "providerId",
       t.connector_id as "connectorId", t.app_name as "appName", t.user_name as "userName", t.device_uid as "deviceUid"
     from unnest($2::timestamptz[], $3::uuid[]) as w (at, id)
     join shadow_ai.telemetry t on t.tenant_id = $1 and t.at = w.at and t.id = w.id`,
    [tenantId, events.map(({ at }) => at), events.map(({ id }) => id)],
  );

/** Keeps events that are not there yet; their devices are held. */
export const addEvents = (tx: Queries, tenantId: string, events: readonly StoredEvent[]): Promise<void> =>
  tx.copy(
    'shadow_ai.telemetry',
    columns,
    events.map((event) => [tenantId, ...fields.map((field) => event[field])]),
  );

/** Keeps these in the place of those with the same ids; the connector is the one that told of it first. */
export async function replaceEvents(
  tx: Queries,
  tenantId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  await tx.query(
    `update shadow_ai.telemetry t set content = w.content, user_name = w."userName", app_name = w."appName",
       command_line = w."commandLine", host = w.host, ip = w.ip, port = w.port, inbound = w.inbound,
       file_path = w."filePath", action = w.action, provider_id = w."providerId", is_api = w."isApi",
       file_rule = w."fileRule", tags = w.tags
     from json_to_recordset($2::json) as w (id uuid, at timestamptz, content bigint, "userName" text, "appName" text,
       "commandLine" text, host text, ip text, port int, inbound boolean, "filePath" text, action text,
       "providerId" text, "isApi" boolean, "fileRule" text, tags text[])
     where t.tenant_id = $1 and t.at = w.at and t.id = w.id`,
    [tenantId, json(events)],
  );
}
