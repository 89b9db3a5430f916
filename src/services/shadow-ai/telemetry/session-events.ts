import type { Queries } from '#base/db/database.ts';
import { silenceMs } from '#engine/shadow-ai/sessions.ts';
import type { ProcessRow } from './process-store.ts';
import {
  type EventOfSession,
  type KnownDetection,
  listOwnedEvents,
  listOwnEvents,
  type RootedEvent,
} from './session-store.ts';
import type { StoredEvent } from './stored-event.ts';

/** A process whose sessions may be others now. */
export interface TouchedRoot {
  readonly id: string;
  /** Undefined where it is not known yet. */
  readonly row: ProcessRow | undefined;
  /** From the first to the last of the events that came. */
  readonly fromMs: number;
  readonly toMs: number;
  /** More than these events has changed: all its sessions are made anew. */
  readonly whole: boolean;
  /** Those that came. */
  readonly events: readonly StoredEvent[];
  /** They are all that there are: the root and all that it has started are new. */
  readonly isAll: boolean;
}

/** One whose process is known. */
export type Asked = TouchedRoot & { readonly row: ProcessRow };

export interface Read {
  readonly events: readonly EventOfSession[];
  /** Detections that the events may belong to. */
  readonly within: readonly KnownDetection[];
}

/** The sessions around what came: the events of each root from one silence to another, and their detections. */
export async function readEvents(
  tx: Queries,
  asked: readonly Asked[],
  known: ReadonlyMap<string, readonly KnownDetection[]>,
): Promise<Map<string, Read>> {
  const read = new Map<string, Read>();
  let open: Reading[] = [];
  for (const root of asked) {
    const detections = known.get(root.id) ?? [];
    if (root.isAll) read.set(root.id, { events: root.events, within: detections });
    else open.push({ root, detections, span: firstSpan(root) });
  }
  while (open.length > 0) {
    const found = Map.groupBy(await readSpans(tx, open), ({ rootId }) => rootId);
    open = open.filter((reading) => {
      const events = found.get(reading.root.id) ?? [];
      const core = coreOf(reading, events);
      const { fromMs, toMs } = reading.span;
      if (core.fromMs - silenceMs >= fromMs && core.toMs + silenceMs <= toMs) {
        read.set(reading.root.id, {
          events: events.filter(({ at }) => at.getTime() >= core.fromMs && at.getTime() <= core.toMs),
          within: reading.detections.filter((each) => touches(each, core)),
        });
        return false;
      }
      reading.span = { fromMs: core.fromMs - marginMs, toMs: core.toMs + marginMs };
      return true;
    });
  }
  return read;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Reading {
  readonly root: Asked;
  readonly detections: readonly KnownDetection[];
  /** What is read. */
  span: Span;
}

/** So far around what is known: nearly always the ends of the session are within. */
const marginMs = 4 * silenceMs;
const always: Span = { fromMs: -Infinity, toMs: Infinity };

function firstSpan({ fromMs, toMs, whole, row }: Asked): Span {
  // A weak name is a detection, or none, because of what it did at any time.
  if (whole || row.weak) return always;
  return { fromMs: fromMs - marginMs, toMs: toMs + marginMs };
}

/** The detection lies in the span, or no silence lies between them. */
const touches = ({ startedAt, endedAt }: KnownDetection, { fromMs, toMs }: Span): boolean =>
  endedAt.getTime() >= fromMs - silenceMs && startedAt.getTime() <= toMs + silenceMs;

/** From one silence to another: the sessions that what came belongs to. */
function coreOf({ root, detections, span }: Reading, events: readonly RootedEvent[]): Span {
  if (span === always) return always;
  const parts: Span[] = [
    ...detections.map((each) => ({ fromMs: each.startedAt.getTime(), toMs: each.endedAt.getTime() })),
    ...events.map(({ at }) => ({ fromMs: at.getTime(), toMs: at.getTime() })),
  ];
  let { fromMs, toMs } = root;
  for (const part of parts.sort((a, b) => a.fromMs - b.fromMs))
    if (part.fromMs <= toMs + silenceMs && part.toMs >= toMs) toMs = part.toMs;
  for (const part of parts.sort((a, b) => b.toMs - a.toMs))
    if (part.toMs >= fromMs - silenceMs && part.fromMs <= fromMs) fromMs = part.fromMs;
  return { fromMs, toMs };
}

async function readSpans(tx: Queries, open: readonly Reading[]): Promise<RootedEvent[]> {
  const spansOf = (owning: boolean) =>
    open
      .filter(({ root }) => (root.row.ownerId === null) !== owning)
      .map(({ root, span }) => ({ id: root.id, fromMs: span.fromMs, toMs: span.toMs }));
  return [...(await listOwnedEvents(tx, spansOf(true))), ...(await listOwnEvents(tx, spansOf(false)))];
}
