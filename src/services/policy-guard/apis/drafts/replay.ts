import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import { conflict } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { maxReplayedTexts, maxReplaySeconds, maxShownChanges, replayedDays } from '../../contract/drafts.ts';
import type { QueryReader } from '../../observing/queries/queries.ts';
import type { Query } from '../../observing/queries/query.ts';
import { probabilitiesOf, readDraft, type Draft, type DraftDeps, type SentDraft } from './draft.ts';

export interface ReplayedChange {
  readonly query: Query;
  readonly nowFlagged: boolean;
  readonly before: number;
  readonly after: number;
}

export interface Replayed {
  readonly texts: number;
  readonly isComplete: boolean;
  readonly scope: 'group' | 'all';
  readonly flaggedBefore: number;
  readonly flaggedAfter: number;
  readonly nowFlagged: number;
  readonly nowPassing: number;
  readonly changes: readonly ReplayedChange[];
}

export interface ReplayDeps extends DraftDeps {
  readonly clock: Clock;
  readonly queries: Pick<QueryReader, 'since'>;
  /** Writes to the log now what waits. */
  readonly flushLog: () => Promise<void>;
}

interface Watched {
  readonly onProgress: (progress: { done: number; total: number }) => void;
  /** Ends the work when its reader is gone. */
  readonly signal: AbortSignal;
}

const page = 500;
/** Entries that are read, where many have the same text or none. */
const mostRead = 10_000;
const progressEvery = 50;
const dayMs = 86_400_000;

/** Judges logged texts as the policy is saved and as it is drafted, one replay at a time for each user. */
export function createReplay(deps: ReplayDeps) {
  const running = new Set<string>();

  /** @throws AppError 404 and 403 as `groups.own` does, 409 while one of the caller's runs; the result is run at once. */
  return async function replay(
    caller: Caller,
    groupUuid: string,
    sent: SentDraft,
  ): Promise<(watched: Watched) => Promise<Replayed>> {
    const draft = await readDraft(deps, caller, groupUuid, sent);
    if (running.has(caller.userId))
      throw conflict('A replay of yours is running. It ends within half a minute.');
    running.add(caller.userId);
    return async (watched) => {
      try {
        return await compare(deps, caller, draft, watched);
      } finally {
        running.delete(caller.userId);
      }
    };
  };
}

async function compare(
  deps: ReplayDeps,
  caller: Caller,
  { group, saved, policy, enabled }: Draft,
  { onProgress, signal }: Watched,
): Promise<Replayed> {
  const endMs = performance.now() + maxReplaySeconds * 1000;
  await deps.flushLog();
  const { texts, isAll, scope } = await readTexts(deps, caller, group.groupUuid, signal);
  const { threshold, strictnessLevel } = group;
  const policies = saved === undefined ? [policy] : [policy, saved];
  const tally = new Tally(threshold);
  let done = 0;
  for (const query of texts) {
    if (performance.now() > endMs) break;
    await yieldToEventLoop();
    signal.throwIfAborted();
    const given = { text: query.text ?? '', signal };
    const sensitivity = { threshold, strictnessLevel };
    const [drafted = 0, before = 0] = await probabilitiesOf(deps.engine, given, policies, sensitivity);
    tally.add(query, before, enabled ? drafted : 0);
    done += 1;
    if (done % progressEvery === 0) onProgress({ done, total: texts.length });
  }
  return {
    texts: done,
    isComplete: isAll && done === texts.length,
    scope,
    ...tally.counts,
    changes: tally.changes,
  };
}

/** Counts verdicts before and after, and keeps the first that differ. */
class Tally {
  readonly #threshold: number;
  readonly counts = { flaggedBefore: 0, flaggedAfter: 0, nowFlagged: 0, nowPassing: 0 };
  readonly changes: ReplayedChange[] = [];

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  add(query: Query, before: number, after: number): void {
    const was = before >= this.#threshold;
    const is = after >= this.#threshold;
    this.counts.flaggedBefore += Number(was);
    this.counts.flaggedAfter += Number(is);
    if (was === is) return;
    this.counts[is ? 'nowFlagged' : 'nowPassing'] += 1;
    if (this.changes.length < maxShownChanges) this.changes.push({ query, nowFlagged: is, before, after });
  }
}

/** Different texts of the last days, newest first; those that were judged by the group, where there are any. */
async function readTexts(
  { clock, queries }: ReplayDeps,
  caller: Caller,
  groupUuid: string,
  signal: AbortSignal,
): Promise<{ texts: Query[]; isAll: boolean; scope: Replayed['scope'] }> {
  const fromMs = clock.now() - replayedDays * dayMs;
  const known = new Set<string>();
  const ofAll: Query[] = [];
  const ofGroup: Query[] = [];
  let before: string | undefined;
  let read = 0;
  let isEnd = false;
  while (!isEnd && read < mostRead && ofGroup.length < maxReplayedTexts) {
    signal.throwIfAborted();
    const entries = await queries.since(caller, { before }, fromMs, page);
    isEnd = entries.length < page;
    read += entries.length;
    before = entries.at(-1)?.queryId;
    for (const entry of entries) {
      if (entry.text === null || known.has(entry.text)) continue;
      known.add(entry.text);
      ofAll.push(entry);
      if (entry.found.some(([group]) => group === groupUuid)) ofGroup.push(entry);
    }
  }
  const scope = ofGroup.length > 0 ? 'group' : 'all';
  const texts = scope === 'group' ? ofGroup : ofAll;
  return { texts: texts.slice(0, maxReplayedTexts), isAll: isEnd && texts.length <= maxReplayedTexts, scope };
}
