import type { Queries } from '#base/db/database.ts';

export interface DetectionFilter {
  readonly tenantId: string;
  readonly from: Date;
  readonly to: Date;
  readonly mode?: string | undefined;
  readonly ruleId?: string | undefined;
  readonly deviceOs?: readonly string[] | undefined;
  /** Rules that the tenant has disabled. */
  readonly disabled: readonly string[];
}

export interface Detection {
  readonly id: number;
  readonly deviceUid: string;
  readonly rootId: string;
  readonly ruleId: string;
  readonly deviceName: string;
  readonly deviceOs: string | null;
  readonly prompt: string | null;
  readonly accountName: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly processCount: number;
  readonly networkCount: number;
  readonly fileCount: number;
  readonly mode: string;
  readonly tags: string[];
  readonly createdAt: Date;
}

const columns = `
  d.id, d.device_uid as "deviceUid", d.root_id as "rootId", d.rule_id as "ruleId", v.name as "deviceName",
  v.os as "deviceOs", d.prompt, d.account_name as "accountName", d.started_at as "startedAt", d.ended_at as "endedAt",
  d.process_count as "processCount", d.network_count as "networkCount", d.file_count as "fileCount",
  d.detection_mode as mode, d.activity_tags as tags, d.created_at as "createdAt"`;

const conditions = `d.tenant_id = $1 and d.started_at >= $2 and d.started_at <= $3
  and ($4::text is null or d.detection_mode = $4)
  and ($5::text[] is null or exists (
    select 1 from shadow_ai.devices o
    where o.tenant_id = d.tenant_id and o.device_uid = d.device_uid and o.os = any($5::text[])))
  and not (d.rule_id = any($6::text[])) and ($7::text is null or d.rule_id = $7)`;

const valuesOf = ({ tenantId, from, to, mode, deviceOs, disabled, ruleId }: DetectionFilter) => [
  tenantId,
  from,
  to,
  mode,
  deviceOs,
  disabled,
  ruleId,
];

/** Newest first. */
export const listDetections = (
  db: Queries,
  filter: DetectionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<(Detection & Record<string, unknown>)[]> =>
  db.query(
    `select ${columns} from (
       select d.* from shadow_ai.detections d where ${conditions}
       order by d.started_at desc, d.id desc limit $8 offset $9) d
     join shadow_ai.devices v on v.tenant_id = d.tenant_id and v.device_uid = d.device_uid
     order by d.started_at desc, d.id desc`,
    [...valuesOf(filter), limit, offset],
  );

const pageSize = 500;

/** All of them, newest first, a page at a time: each begins after the last one of the page before. */
export async function* allDetections(db: Queries, filter: DetectionFilter): AsyncGenerator<Detection> {
  let after: Detection | undefined;
  for (;;) {
    const page: Detection[] = await db.query<Detection & Record<string, unknown>>(
      `select ${columns} from (
         select d.* from shadow_ai.detections d where ${conditions}
           and ($8::timestamptz is null or (d.started_at, d.id) < ($8::timestamptz, $9::bigint))
         order by d.started_at desc, d.id desc limit $10) d
       join shadow_ai.devices v on v.tenant_id = d.tenant_id and v.device_uid = d.device_uid
       order by d.started_at desc, d.id desc`,
      [...valuesOf(filter), after?.startedAt, after?.id, pageSize],
    );
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1);
  }
}

export async function countDetections(db: Queries, filter: DetectionFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from shadow_ai.detections d where ${conditions}`,
    valuesOf(filter),
  );
  return row?.count ?? 0;
}

/** The rule with most detections; of equal ones the first by name. */
export async function findTopRule(
  db: Queries,
  filter: DetectionFilter,
): Promise<{ name: string; count: number } | undefined> {
  const [row] = await db.query<{ name: string; count: number }>(
    `select d.rule_id as name, count(*) as count from shadow_ai.detections d where ${conditions}
     group by d.rule_id order by count desc, name limit 1`,
    valuesOf(filter),
  );
  return row;
}

/**
 * Devices that sent something in the window, told by when each was heard of first and last on each day; of days whose
 * telemetry is deleted only those count that have been silent since.
 */
export async function countDevices(
  db: Queries,
  { tenantId, from, to, deviceOs }: Pick<DetectionFilter, 'tenantId' | 'from' | 'to' | 'deviceOs'>,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from shadow_ai.devices v
     where v.tenant_id = $1 and v.last_seen_at >= $2 and ($4::text[] is null or v.os = any($4::text[]))
       and (v.last_seen_at <= $3 or exists (
         select 1 from shadow_ai.device_days y
         where y.tenant_id = v.tenant_id and y.device_uid = v.device_uid
           and y.day_at between $2::timestamptz - interval '24 hours' and $3
           and y.first_at <= $3 and y.last_at >= $2))`,
    [tenantId, from, to, deviceOs],
  );
  return row?.count ?? 0;
}

export async function findDetection(
  db: Queries,
  tenantId: string,
  id: number,
): Promise<Detection | undefined> {
  const [row] = await db.query<Detection & Record<string, unknown>>(
    `select ${columns} from shadow_ai.detections d
     join shadow_ai.devices v on v.tenant_id = d.tenant_id and v.device_uid = d.device_uid
     where d.tenant_id = $1 and d.id = $2`,
    [tenantId, id],
  );
  return row;
}

export async function findEvaluatedAt(db: Queries, tenantId: string): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date }>(
    'select evaluated_at as at from shadow_ai.evaluations where tenant_id = $1',
    [tenantId],
  );
  return row?.at;
}
