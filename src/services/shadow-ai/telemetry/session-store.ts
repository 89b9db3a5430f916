import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { DetectionMode } from '#engine/shadow-ai/sessions.ts';
import { type EventBlock, type KeptEvent, unpackEvents } from './event-block.ts';
import { blockColumns, overlaps } from './event-store.ts';

/** An event that sessions are made of. */
export type EventOfSession = Omit<KeptEvent, 'content' | 'connectorId'>;

/** An event with the root of the session that it belongs to. */
export type RootedEvent = EventOfSession & { readonly rootId: string };

/** A root, and when its events are asked for. */
interface RootSpan {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const record = `json_to_recordset($1::json) as w (id uuid, "from" timestamptz, "to" timestamptz)`;
const inSpan = overlaps('w."from"', 'w."to"');

const momentOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms) : ms < 0 ? '-infinity' : 'infinity');
const spansOf = (roots: readonly RootSpan[]) =>
  json(roots.map(({ id, fromMs, toMs }) => ({ id, from: momentOf(fromMs), to: momentOf(toMs) })));

type RootedBlock = EventBlock & { readonly rootId: string } & Record<string, unknown>;

function eventsIn(blocks: readonly RootedBlock[], roots: readonly RootSpan[]): RootedEvent[] {
  const spans = new Map(roots.map((root) => [root.id, root]));
  return blocks.flatMap((block) => {
    const { rootId } = block;
    const { fromMs, toMs } = spans.get(rootId) ?? { fromMs: 0, toMs: -1 };
    return unpackEvents(block)
      .filter(({ at }) => at.getTime() >= fromMs && at.getTime() <= toMs)
      .map((event) => ({ ...event, rootId }));
  });
}

/** All events of the processes that the roots own. */
export async function listOwnedEvents(tx: Queries, roots: readonly RootSpan[]): Promise<RootedEvent[]> {
  if (roots.length === 0) return [];
  const blocks = await tx.query<RootedBlock>(
    `select p.owner_id as "rootId", ${blockColumns} from ${record}
     cross join lateral (select * from shadow_ai.processes p where p.owner_id = w.id offset 0) p
     cross join lateral (select * from shadow_ai.event_blocks b where b.process_id = p.id and ${inSpan} offset 0) b`,
    [spansOf(roots)],
  );
  return eventsIn(blocks, roots);
}

/** The events of these processes alone that a detection can be made of. */
export async function listOwnEvents(tx: Queries, roots: readonly RootSpan[]): Promise<RootedEvent[]> {
  if (roots.length === 0) return [];
  const blocks = await tx.query<RootedBlock>(
    `select b.process_id as "rootId", ${blockColumns} from ${record}
     cross join lateral (select * from shadow_ai.event_blocks b where b.process_id = w.id and ${inSpan} offset 0) b`,
    [spansOf(roots)],
  );
  return eventsIn(blocks, roots).filter(
    ({ isApi, fileRule, dimension }) => isApi || fileRule !== null || dimension === 'process',
  );
}

export interface KnownDetection {
  readonly id: number;
  readonly rootId: string;
  readonly ruleId: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly prompt: string | null;
  readonly accountName: string | null;
  readonly processCount: number;
  readonly networkCount: number;
  readonly fileCount: number;
  readonly mode: DetectionMode;
  readonly tags: readonly string[];
  /** Its events before that are deleted; null while all are there. */
  readonly goneBefore: Date | null;
  readonly goneProcesses: number;
  readonly goneNetwork: number;
  readonly goneFiles: number;
}

export const listDetectionsOf = (
  tx: Queries,
  tenantId: string,
  rootIds: readonly string[],
): Promise<(KnownDetection & Record<string, unknown>)[]> =>
  tx.query(
    `select d.id, d.root_id as "rootId", d.rule_id as "ruleId", d.started_at as "startedAt", d.ended_at as "endedAt",
       d.prompt, d.account_name as "accountName", d.process_count as "processCount", d.network_count as "networkCount",
       d.file_count as "fileCount", d.detection_mode as mode, d.activity_tags as tags, d.gone_before as "goneBefore",
       d.gone_process_count as "goneProcesses", d.gone_network_count as "goneNetwork", d.gone_file_count as "goneFiles"
     from unnest($2::uuid[]) as w (id)
     cross join lateral (select * from shadow_ai.detections d where d.root_id = w.id offset 0) d
     where d.tenant_id = $1 order by d.id`,
    [tenantId, rootIds],
  );

export interface WantedDetection {
  /** Of the detection that becomes it; null for a new one. */
  readonly id: number | null;
  /** Others with deleted events that have become part of it. */
  readonly joined: readonly KnownDetection[];
  readonly deviceUid: string;
  readonly rootId: string;
  readonly rootUid: string;
  readonly ruleId: string;
  readonly prompt: string | null;
  readonly accountName: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly processCount: number;
  readonly networkCount: number;
  readonly fileCount: number;
  readonly mode: DetectionMode;
  readonly tags: readonly string[];
}

const wantedRecord = `json_to_recordset($1::json) as w (id bigint, "deviceUid" text, "rootId" uuid, "rootUid" text, "ruleId" text, prompt text,
  "accountName" text, "startedAt" timestamptz, "endedAt" timestamptz, "processCount" int, "networkCount" int,
  "fileCount" int, mode text, tags text[], "goneBefore" timestamptz, "goneProcesses" int, "goneNetwork" int, "goneFiles" int)`;

/** With what the others that became part of it have of deleted events. */
function withJoined({ joined, ...detection }: WantedDetection) {
  const total = (field: 'goneProcesses' | 'goneNetwork' | 'goneFiles') =>
    joined.reduce((sum, each) => sum + each[field], 0);
  const moments = joined.flatMap(({ goneBefore }) => (goneBefore === null ? [] : [goneBefore.getTime()]));
  return {
    ...detection,
    goneBefore: moments.length === 0 ? null : new Date(Math.max(...moments)),
    goneProcesses: total('goneProcesses'),
    goneNetwork: total('goneNetwork'),
    goneFiles: total('goneFiles'),
  };
}

/** Makes the detections what they are to be; those of `gone` go. */
export async function writeDetections(
  tx: Queries,
  tenantId: string,
  { wanted, gone, at }: { wanted: readonly WantedDetection[]; gone: readonly number[]; at: Date },
): Promise<void> {
  if (gone.length > 0)
    await tx.query('delete from shadow_ai.detections where tenant_id = $1 and id = any($2::bigint[])', [
      tenantId,
      gone,
    ]);
  const kept = wanted.filter(({ id }) => id !== null);
  if (kept.length > 0)
    await tx.query(
      `update shadow_ai.detections d set prompt = w.prompt, account_name = w."accountName", started_at = w."startedAt",
         ended_at = w."endedAt", process_count = w."processCount", network_count = w."networkCount",
         file_count = w."fileCount", detection_mode = w.mode, activity_tags = w.tags,
         gone_before = greatest(d.gone_before, w."goneBefore"), gone_process_count = d.gone_process_count + w."goneProcesses",
         gone_network_count = d.gone_network_count + w."goneNetwork", gone_file_count = d.gone_file_count + w."goneFiles"
       from ${wantedRecord} where d.id = w.id`,
      [json(kept.map(withJoined))],
    );
  const made = wanted.filter(({ id }) => id === null);
  if (made.length > 0)
    await tx.query(
      `insert into shadow_ai.detections (tenant_id, device_uid, root_id, root_uid, rule_id, prompt, account_name, started_at, ended_at,
         process_count, network_count, file_count, detection_mode, activity_tags, created_at)
       select $2::uuid, "deviceUid", "rootId", "rootUid", "ruleId", prompt, "accountName", "startedAt", "endedAt", "processCount",
         "networkCount", "fileCount", mode, tags, $3::timestamptz
       from ${wantedRecord} order by "startedAt", "deviceUid", "rootUid", "ruleId"`,
      [json(made), tenantId, at],
    );
}
