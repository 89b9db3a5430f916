import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { MergedFacts, Owner } from '#engine/shadow-ai/processes.ts';
import type { Signal } from '#engine/shadow-ai/matcher.ts';
import type { Incoming } from './read-row.ts';

/** A process instance of a device. */
export interface ProcessRow {
  readonly id: string;
  readonly deviceUid: string;
  readonly processUid: string;
  readonly parentId: string | null;
  readonly facts: MergedFacts;
  /** The rule that it matches by itself. */
  readonly ruleId: string | null;
  readonly signal: Signal | null;
  readonly weak: boolean;
  /** The process with which the session began that it belongs to. */
  readonly ownerId: string | null;
  readonly ownerRule: string | null;
}

/*
 * Below, many keys are looked up one by one: `cross join lateral (… offset 0)` leaves the database no other choice. For a
 * thousand keys it would rather read the whole table, which takes longer the more is kept.
 */
const columns = `
  p.id, p.device_uid as "deviceUid", p.process_uid as "processUid", p.parent_id as "parentId", p.facts,
  p.rule_id as "ruleId", p.signal, p.weak, p.owner_id as "ownerId", p.owner_rule as "ownerRule"`;

export const ownerOf = ({ ownerId, ownerRule }: ProcessRow): Owner | undefined =>
  ownerId === null || ownerRule === null ? undefined : { rootUid: ownerId, ruleId: ownerRule };

/** A device, and when it was heard of. */
export type Device = Incoming['device'] & { readonly at: Date };

/** A day on which a device was heard of; all times in milliseconds. */
export interface DeviceDay {
  readonly uid: string;
  readonly dayAt: number;
  firstAt: number;
  lastAt: number;
}

/** Notes the devices, and locks them until the transaction ends: their sessions are made by one at a time. */
export async function upsertDevices(
  tx: Queries,
  tenantId: string,
  devices: readonly Device[],
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

/** Notes the days of devices, which are held. */
export async function upsertDeviceDays(
  tx: Queries,
  tenantId: string,
  days: readonly DeviceDay[],
): Promise<void> {
  const rows = days.map((day) => ({
    uid: day.uid,
    dayAt: new Date(day.dayAt),
    firstAt: new Date(day.firstAt),
    lastAt: new Date(day.lastAt),
  }));
  await tx.query(
    `insert into shadow_ai.device_days as known (tenant_id, device_uid, day_at, first_at, last_at)
     select $1::uuid, uid, "dayAt", "firstAt", "lastAt" from json_to_recordset($2::json)
       as d (uid text, "dayAt" timestamptz, "firstAt" timestamptz, "lastAt" timestamptz)
     on conflict (tenant_id, device_uid, day_at) do update set
       first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)
       where known.first_at > excluded.first_at or known.last_at < excluded.last_at`,
    [tenantId, json(rows)],
  );
}

export const findProcesses = (
  tx: Queries,
  ids: Iterable<string>,
): Promise<(ProcessRow & Record<string, unknown>)[]> =>
  tx.query(
    `select ${columns} from unnest($1::uuid[]) as w (id)
     cross join lateral (select * from shadow_ai.processes p where p.id = w.id offset 0) p`,
    [[...ids]],
  );

/** All that these processes have started, and so on, without themselves. */
export async function findBelow(
  tx: Queries,
  ids: Iterable<string>,
): Promise<(ProcessRow & Record<string, unknown>)[]> {
  // Nearly always there is none, since parents start before their children.
  const started = await tx.query<{ id: string }>(
    `select c.id from unnest($1::uuid[]) as w (id)
     cross join lateral (select c.id from shadow_ai.processes c where c.parent_id = w.id offset 0) c`,
    [[...ids]],
  );
  if (started.length === 0) return [];
  return tx.query(
    `with recursive below as (
       select id from unnest($1::uuid[]) as w (id)
       union
       select c.id from below b
       cross join lateral (select c.id from shadow_ai.processes c where c.parent_id = b.id offset 0) c
     )
     select ${columns} from below b
     cross join lateral (select * from shadow_ai.processes p where p.id = b.id offset 0) p`,
    [started.map(({ id }) => id)],
  );
}

const copied = [
  'id',
  'tenant_id',
  'device_uid',
  'process_uid',
  'parent_id',
  'facts',
  'rule_id',
  'signal',
  'weak',
  'owner_id',
  'owner_rule',
  'last_seen_at',
];

/** Adds processes that are not there yet; their devices are held. */
export const addProcesses = (
  tx: Queries,
  tenantId: string,
  processes: readonly (ProcessRow & { readonly at: Date })[],
): Promise<void> =>
  tx.copy(
    'shadow_ai.processes',
    copied,
    processes.map((row) => [
      row.id,
      tenantId,
      row.deviceUid,
      row.processUid,
      row.parentId,
      row.facts,
      row.ruleId,
      row.signal,
      row.weak,
      row.ownerId,
      row.ownerRule,
      row.at,
    ]),
  );

export async function updateProcesses(
  tx: Queries,
  processes: readonly (ProcessRow & { readonly at: Date | undefined })[],
): Promise<void> {
  if (processes.length === 0) return;
  await tx.query(
    `update shadow_ai.processes p set parent_id = w."parentId", facts = w.facts, rule_id = w."ruleId",
       signal = w.signal, weak = w.weak, owner_id = w."ownerId", owner_rule = w."ownerRule",
       last_seen_at = greatest(p.last_seen_at, w.at)
     from json_to_recordset($1::json) as w (id uuid, "parentId" uuid, facts json, "ruleId" text, signal text,
       weak boolean, "ownerId" uuid, "ownerRule" text, at timestamptz)
     where p.id = w.id`,
    [json(processes)],
  );
}
