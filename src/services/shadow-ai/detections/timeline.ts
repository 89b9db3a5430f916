import type { Queries } from '#base/db/database.ts';
import type { MergedFacts } from '#engine/shadow-ai/processes.ts';
import { type EventBlock, inOrder, type KeptEvent, unpackEvents } from '../telemetry/event-block.ts';
import { blockColumns, overlaps } from '../telemetry/event-store.ts';
import type { Detection } from './store.ts';

/** An event of a session, with what is known of its process and of the one above. */
export type TimelineEvent = KeptEvent & {
  readonly facts: MergedFacts;
  readonly parentFacts: MergedFacts | null;
};

type TimelineBlock = EventBlock &
  Pick<TimelineEvent, 'facts' | 'parentFacts'> & { readonly isOwned: boolean } & Record<string, unknown>;

const blocksAtATime = 200;

/** Blocks of the session that follow on the one given, oldest first. */
const nextBlocks = (
  db: Queries,
  tenantId: string,
  { rootId, ruleId, startedAt, endedAt }: Detection,
  last: TimelineBlock | undefined,
): Promise<TimelineBlock[]> =>
  db.query(
    `select ${blockColumns}, p.owner_id is not null as "isOwned", p.facts, parent.facts as "parentFacts"
     from shadow_ai.processes p
     join shadow_ai.event_blocks b on b.process_id = p.id and ${overlaps('$4::timestamptz', '$5::timestamptz')}
     left join shadow_ai.processes parent on parent.id = p.parent_id
     where p.tenant_id = $1 and ((p.owner_id = $2 and p.owner_rule = $3) or (p.id = $2 and p.owner_id is null))
       and ($6::timestamptz is null or (b.first_at, b.id) > ($6::timestamptz, $7::uuid))
     order by b.first_at, b.id limit $8`,
    [tenantId, rootId, ruleId, startedAt, endedAt, last?.firstAt, last?.id, blocksAtATime],
  );

function eventsOf(block: TimelineBlock, { startedAt, endedAt, ruleId }: Detection): TimelineEvent[] {
  const { facts, parentFacts, isOwned } = block;
  return unpackEvents(block)
    .filter((event) => event.at >= startedAt && event.at <= endedAt && (isOwned || isLoose(event, ruleId)))
    .map((event) => ({ ...event, facts, parentFacts }));
}

/** Of a program that is no agent: its start, and what its connections or files make a detection of. */
const isLoose = ({ dimension, providerId, fileRule }: KeptEvent, ruleId: string): boolean =>
  dimension === 'process' || providerId === ruleId || fileRule === ruleId;

/**
 * What happened in a detection's session, in order, at most `limit` events. Blocks overlap in time: what lies before the
 * beginning of the last block that was read is complete.
 */
export async function listTimeline(
  db: Queries,
  tenantId: string,
  detection: Detection,
  limit: number,
): Promise<TimelineEvent[]> {
  const events: TimelineEvent[] = [];
  let last: TimelineBlock | undefined;
  for (;;) {
    const blocks = await nextBlocks(db, tenantId, detection, last);
    for (const block of blocks) events.push(...eventsOf(block, detection));
    last = blocks.at(-1);
    const complete = last?.firstAt;
    const isLastPage = complete === undefined || blocks.length < blocksAtATime;
    if (isLastPage || events.filter(({ at }) => at < complete).length >= limit)
      return events.sort(inOrder).slice(0, limit);
  }
}
