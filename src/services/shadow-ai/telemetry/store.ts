import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { MergedFacts } from '#engine/shadow-ai/processes.ts';
import type { Incoming } from './read-row.ts';

/** A process of a device. */
export interface ProcessKey {
  readonly deviceUid: string;
  readonly processUid: string;
}

export interface ProcessRow extends ProcessKey {
  readonly parentUid: string | null;
  readonly facts: MergedFacts;
  readonly ruleId: string | null;
  readonly signal: 'process' | 'cli' | null;
  readonly weak: boolean;
  readonly ownerUid: string | null;
  readonly ownerRule: string | null;
}

const processColumns = `
  p.device_uid as "deviceUid", p.process_uid as "processUid", p.parent_uid as "parentUid", p.facts, p.rule_id as "ruleId",
  p.signal, p.weak, p.owner_uid as "ownerUid", p.owner_rule as "ownerRule"`;

const wantedProcesses = 'json_to_recordset($2::json) as w ("deviceUid" text, "processUid" text)';

/** Notes the devices, and locks them until the transaction ends: their sessions are made by one at a time. */
export async function upsertDevices(
  tx: Queries,
  tenantId: string,
  devices: readonly (Incoming['device'] & { readonly at: Date })[],
): Promise<void> {
  await tx.query(
    `insert into shadow_ai.devices as known (tenant_id, device_uid, name, os, named_at, last_seen_at)
     select $1::uuid, uid, name, os, at, at from json_to_recordset($2::json) as d (uid text, name text, os text, at timestamptz)
     order by uid
     on conflict (tenant_id, device_uid) do update set
       name = case when (excluded.named_at, excluded.name) > (known.named_at, known.name) then excluded.name else known.name end,
       os = greatest(known.os, excluded.os),
       named_at = greatest(known.named_at, excluded.named_at),
       last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`,
    [tenantId, json(devices)],
  );
}

export const findProcesses = (
  tx: Queries,
  tenantId: string,
  wanted: readonly ProcessKey[],
): Promise<(ProcessRow & Record<string, unknown>)[]> =>
  tx.query(
    `select ${processColumns} from ${wantedProcesses}
     join shadow_ai.processes p on p.tenant_id = $1 and p.device_uid = w."deviceUid" and p.process_uid = w."processUid"`,
    [tenantId, json(wanted)],
  );

/** The processes, and all that they have started, and so on. */
export const findSubtrees = (
  tx: Queries,
  tenantId: string,
  wanted: readonly ProcessKey[],
): Promise<(ProcessRow & Record<string, unknown>)[]> =>
  tx.query(
    `with recursive below as (
       select p.device_uid, p.process_uid from ${wantedProcesses}
       join shadow_ai.processes p on p.tenant_id = $1 and p.device_uid = w."deviceUid" and p.process_uid = w."processUid"
       union
       select c.device_uid, c.process_uid from below b
       join shadow_ai.processes c on c.tenant_id = $1 and c.device_uid = b.device_uid and c.parent_uid = b.process_uid
     )
     select ${processColumns} from below b
     join shadow_ai.processes p on p.tenant_id = $1 and p.device_uid = b.device_uid and p.process_uid = b.process_uid`,
    [tenantId, json(wanted)],
  );

export async function upsertProcesses(
  tx: Queries,
  tenantId: string,
  processes: readonly (ProcessRow & { readonly at: Date })[],
): Promise<void> {
  await tx.query(
    `insert into shadow_ai.processes (tenant_id, device_uid, process_uid, parent_uid, facts, rule_id, signal, weak, last_seen_at)
     select $1::uuid, "deviceUid", "processUid", "parentUid", facts, "ruleId", signal, weak, at
     from json_to_recordset($2::json) as p ("deviceUid" text, "processUid" text, "parentUid" text, facts json, "ruleId" text,
       signal text, weak boolean, at timestamptz)
     on conflict (tenant_id, device_uid, process_uid) do update set
       parent_uid = excluded.parent_uid, facts = excluded.facts, rule_id = excluded.rule_id, signal = excluded.signal,
       weak = excluded.weak, last_seen_at = excluded.last_seen_at`,
    [tenantId, json(processes)],
  );
}

export async function setOwners(
  tx: Queries,
  tenantId: string,
  owners: readonly (ProcessKey & { readonly ownerUid: string | null; readonly ownerRule: string | null })[],
): Promise<void> {
  await tx.query(
    `update shadow_ai.processes p set owner_uid = w."ownerUid", owner_rule = w."ownerRule"
     from json_to_recordset($2::json) as w ("deviceUid" text, "processUid" text, "ownerUid" text, "ownerRule" text)
     where p.tenant_id = $1 and p.device_uid = w."deviceUid" and p.process_uid = w."processUid"`,
    [tenantId, json(owners)],
  );
}

/** An event as it is kept. */
export interface StoredEvent extends ProcessKey {
  readonly eventKey: string;
  readonly contentHash: string;
  readonly at: Date;
  readonly dimension: string;
  readonly connectorId: string;
  readonly userName: string | undefined;
  readonly appName: string | undefined;
  readonly commandLine: string | undefined;
  readonly host: string | undefined;
  readonly ip: string | undefined;
  readonly port: number | undefined;
  readonly inbound: boolean | undefined;
  readonly filePath: string | undefined;
  readonly action: string | undefined;
  readonly providerId: string | undefined;
  readonly isApi: boolean;
  readonly fileRule: string | undefined;
  readonly tags: readonly string[];
}

/** Keeps events; answers the processes of those that were new. */
export const upsertEvents = (
  tx: Queries,
  tenantId: string,
  events: readonly StoredEvent[],
): Promise<(ProcessKey & Record<string, unknown>)[]> =>
  tx.query(
    `insert into shadow_ai.telemetry as known (tenant_id, device_uid, event_key, content_hash, at, dimension, connector_id,
       process_uid, user_name, app_name, command_line, host, ip, port, inbound, file_path, action, provider_id, is_api,
       file_rule, tags)
     select $1::uuid, "deviceUid", "eventKey", "contentHash", at, dimension, "connectorId", "processUid", "userName",
       "appName", "commandLine", host, ip, port, inbound, "filePath", action, "providerId", "isApi", "fileRule", tags
     from json_to_recordset($2::json) as e ("deviceUid" text, "eventKey" text, "contentHash" text, at timestamptz,
       dimension text, "connectorId" text, "processUid" text, "userName" text, "appName" text, "commandLine" text, host text,
       ip text, port int, inbound boolean, "filePath" text, action text, "providerId" text, "isApi" boolean,
       "fileRule" text, tags text[])
     on conflict (tenant_id, device_uid, event_key) do update set
       content_hash = excluded.content_hash, user_name = excluded.user_name, app_name = excluded.app_name,
       command_line = excluded.command_line, host = excluded.host, ip = excluded.ip, port = excluded.port,
       inbound = excluded.inbound, file_path = excluded.file_path, action = excluded.action,
       provider_id = excluded.provider_id, is_api = excluded.is_api, file_rule = excluded.file_rule, tags = excluded.tags
     where (excluded.host is null, excluded.content_hash) < (known.host is null, known.content_hash)
     returning device_uid as "deviceUid", process_uid as "processUid"`,
    [tenantId, json(events)],
  );

export async function noteEvaluation(tx: Queries, tenantId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into shadow_ai.evaluations as known (tenant_id, evaluated_at) values ($1, $2)
     on conflict (tenant_id) do update set evaluated_at = greatest(known.evaluated_at, excluded.evaluated_at)`,
    [tenantId, at],
  );
}
