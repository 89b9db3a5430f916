/** Entries as they are written, by whichever process, to all who read along. */
import type { Database } from '#base/db/database.ts';
import { tooManyRequests, unavailable } from '#base/errors.ts';
import { EventStream, type OutgoingEvent } from '#base/events/event-stream.ts';
import { isUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { Presence } from '#identity/presence.ts';
import { hasOutcome, maySee, type QueryReader, type Wanted } from './queries.ts';
import { timeOfId, violatedIn, type Query } from './query.ts';
import { listByIds } from './store.ts';
import type { QueryNames, ReadNames } from './names.ts';
import { entryToWire } from './view.ts';

const channel = 'policy_guard_queries';
/** Ids in one notification, which has 7999 bytes at most. */
const idsAtOnce = 200;
const mostReaders = 500;
const mostReadersOfUser = 20;
/** What is told again after a break. */
const mostReplayed = 1000;
/** Processes write at different moments: an entry can appear this long after a younger one. */
const overlapMs = 2000;
const options = { lifeMs: 900_000, mostWaiting: 1000, retryMs: 3000 };

interface Reader {
  readonly stream: EventStream;
  readonly caller: Caller;
  readonly wanted: Wanted;
  lastId: string | undefined;
}

export interface LiveFeed extends AsyncDisposable {
  /** Tells all processes of entries that are in the database. */
  announce(entries: readonly Query[]): Promise<void>;
  /**
   * A stream of what the caller may see and wants, from now on or from just before an entry.
   * @throws AppError 429 or 503 where too many read already.
   */
  open(caller: Caller, wanted: Wanted, lastId: string | undefined): Promise<EventStream>;
  /** Ends all streams, and lets no new one begin. */
  close(): void;
}

const wants = ({ caller, wanted }: Reader, query: Query): boolean =>
  maySee(caller, query) &&
  hasOutcome(query.outcome, wanted) &&
  (wanted.guardUuid === undefined || wanted.guardUuid === query.guardUuid) &&
  (wanted.policy === undefined || violatedIn(query.found).includes(wanted.policy));

/** Written once for all readers, so that one of many streams of a slow reader costs no copy of its own. */
const written = (query: Query, guardNames: QueryNames['guard']): OutgoingEvent => ({
  id: query.queryId,
  event: 'query',
  data: JSON.stringify(entryToWire(query, guardNames)),
});

function tell(reader: Reader, query: Query, event: OutgoingEvent): void {
  if (!wants(reader, query)) return;
  const { queryId } = query;
  if (reader.lastId === undefined || queryId > reader.lastId) reader.lastId = queryId;
  reader.stream.offer(event);
}

export interface LiveFeedDeps {
  readonly db: Database;
  readonly queries: QueryReader;
  readonly presence: Presence;
  readonly names: Pick<ReadNames, 'ofGuards'>;
  readonly log: Logger;
}

export function createLiveFeed({ db, queries, presence, names, log }: LiveFeedDeps): LiveFeed {
  const readers = new Set<Reader>();
  let listening: Promise<AsyncDisposable> | undefined;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;

  const replay = async (reader: Reader): Promise<void> => {
    // Nothing to go on from: what came since it was opened may be missing.
    if (reader.lastId === undefined) return reader.stream.missed(null);
    const fromMs = timeOfId(reader.lastId) - overlapMs;
    const since = await queries.since(reader.caller, reader.wanted, fromMs, mostReplayed);
    if (since.length === mostReplayed) reader.stream.missed(null);
    const guardNames = await names.ofGuards(since);
    for (const query of since.toReversed()) tell(reader, query, written(query, guardNames));
  };

  const inTurn = (run: () => Promise<void>) => {
    reading = reading.then(run).catch((err: unknown) => {
      log.warn({ err }, 'the query stream missed entries');
      for (const { stream } of readers) stream.missed(null);
    });
  };

  const onIds = (payload: string) => {
    if (readers.size === 0) return;
    const ids = payload.split(',').filter(isUuid);
    inTurn(async () => {
      const entries = (await listByIds(db, ids)).toReversed();
      const guardNames = await names.ofGuards(entries);
      for (const query of entries) {
        const event = written(query, guardNames);
        for (const reader of readers) tell(reader, query, event);
      }
    });
  };

  const onGap = () =>
    inTurn(async () => {
      for (const reader of readers) await replay(reader);
    });

  const listen = () => {
    listening ??= db.listen(channel, onIds, onGap);
    listening.catch(() => {
      listening = undefined;
    });
    return listening;
  };

  const refuseCrowds = (caller: Caller) => {
    if (closed) throw unavailable('The service is shutting down. Connect again in a moment.');
    if (readers.size >= mostReaders) throw unavailable('Too many read the query stream. Try again later.');
    const own = [...readers].filter((reader) => reader.caller.userId === caller.userId).length;
    if (own >= mostReadersOfUser)
      throw tooManyRequests(`You have ${own} query streams open. Close one before you open another.`, 5);
  };

  return {
    async announce(entries) {
      const ids = entries.map(({ queryId }) => queryId);
      for (let i = 0; i < ids.length; i += idsAtOnce)
        await db.notify(channel, ids.slice(i, i + idsAtOnce).join(','));
    },
    async open(caller, wanted, lastId) {
      await listen();
      refuseCrowds(caller);
      const stream = new EventStream(options);
      const reader: Reader = { stream, caller, wanted, lastId: lastId?.toLowerCase() };
      readers.add(reader);
      const leave = () => readers.delete(reader);
      // Nothing more is told, however much waits for a slow reader.
      const visit = presence.enter(
        () => caller,
        () => {
          leave();
          stream.end();
        },
      );
      stream.once('close', () => {
        leave();
        visit[Symbol.dispose]();
      });
      if (reader.lastId !== undefined) inTurn(() => replay(reader));
      return stream;
    },
    close() {
      closed = true;
      for (const { stream } of readers) stream.end();
    },
    async [Symbol.asyncDispose]() {
      await reading;
      const ear = await listening?.catch(() => undefined);
      await ear?.[Symbol.asyncDispose]();
    },
  };
}
