/** A live stream of query log entries, whichever process writes them. */
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
/** Maximum entries that are sent again to a client that reconnects. */
const mostReplayed = 1000;
/** Processes write at different moments: an entry can appear this long after a newer one. */
const overlapMs = 2000;
const options = { lifeMs: 900_000, mostWaiting: 1000, retryMs: 3000 };

interface Reader {
  readonly stream: EventStream;
  readonly caller: Caller;
  readonly wanted: Wanted;
  lastId: string | undefined;
}

const wants = ({ caller, wanted }: Reader, query: Query): boolean =>
  maySee(caller, query) &&
  hasOutcome(query.outcome, wanted) &&
  (wanted.guardUuid === undefined || wanted.guardUuid === query.guardUuid) &&
  (wanted.policy === undefined || violatedIn(query.found).includes(wanted.policy));

/** Serialised once for all readers, so that buffering for slow readers costs no copies. */
const eventOf = (query: Query, guardNames: QueryNames['guard']): OutgoingEvent => ({
  id: query.queryId,
  event: 'query',
  data: JSON.stringify(entryToWire(query, guardNames)),
});

function send(reader: Reader, query: Query, event: OutgoingEvent): void {
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

export class LiveFeed implements AsyncDisposable {
  readonly #deps: LiveFeedDeps;
  readonly #readers = new Set<Reader>();
  #listening: Promise<AsyncDisposable> | undefined;
  /** The last of the deliveries, which run one after another. */
  #delivering: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps;
  }

  /** Notifies all processes of entries that are in the database. */
  async announce(entries: readonly Query[]): Promise<void> {
    const ids = entries.map(({ queryId }) => queryId);
    for (let i = 0; i < ids.length; i += idsAtOnce)
      await this.#deps.db.notify(channel, ids.slice(i, i + idsAtOnce).join(','));
  }

  /**
   * A stream of the entries that the caller may see and wants, from now on or from just before an entry.
   * @throws AppError 429 or 503 if there are too many readers already.
   */
  async open(caller: Caller, wanted: Wanted, lastId: string | undefined): Promise<EventStream> {
    await this.#listen();
    this.#refuseCrowds(caller);
    const stream = new EventStream(options);
    const reader: Reader = { stream, caller, wanted, lastId: lastId?.toLowerCase() };
    this.#readers.add(reader);
    const leave = () => this.#readers.delete(reader);
    // A caller whose access ends receives nothing more, not even what is buffered for a slow reader.
    const visit = this.#deps.presence.enter(
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
    if (reader.lastId !== undefined) this.#inTurn(() => this.#replay(reader));
    return stream;
  }

  /** Ends all streams; new ones are refused. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#readers) stream.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#delivering;
    const subscription = await this.#listening?.catch(() => undefined);
    await subscription?.[Symbol.asyncDispose]();
  }

  #listen(): Promise<AsyncDisposable> {
    this.#listening ??= this.#deps.db.listen(
      channel,
      (payload) => this.#deliver(payload),
      () => this.#replayAll(),
    );
    this.#listening.catch(() => {
      this.#listening = undefined;
    });
    return this.#listening;
  }

  #refuseCrowds(caller: Caller): void {
    if (this.#isClosed) throw unavailable('The service is shutting down. Connect again in a moment.');
    if (this.#readers.size >= mostReaders)
      throw unavailable('Too many read the query stream. Try again later.');
    const own = [...this.#readers].filter((reader) => reader.caller.userId === caller.userId).length;
    if (own >= mostReadersOfUser)
      throw tooManyRequests(`You have ${own} query streams open. Close one before you open another.`, 5);
  }

  #inTurn(run: () => Promise<void>): void {
    this.#delivering = this.#delivering.then(run).catch((err: unknown) => {
      this.#deps.log.warn({ err }, 'the query stream missed entries');
      for (const { stream } of this.#readers) stream.missed(null);
    });
  }

  #deliver(payload: string): void {
    if (this.#readers.size === 0) return;
    const ids = payload.split(',').filter(isUuid);
    this.#inTurn(async () => {
      const entries = (await listByIds(this.#deps.db, ids)).toReversed();
      const guardNames = await this.#deps.names.ofGuards(entries);
      for (const query of entries) {
        const event = eventOf(query, guardNames);
        for (const reader of this.#readers) send(reader, query, event);
      }
    });
  }

  /** After a gap in the notifications. */
  #replayAll(): void {
    this.#inTurn(async () => {
      for (const reader of this.#readers) await this.#replay(reader);
    });
  }

  async #replay(reader: Reader): Promise<void> {
    // No entry to start from: those written since the stream was opened may be missing.
    if (reader.lastId === undefined) return reader.stream.missed(null);
    const { queries, names } = this.#deps;
    const fromMs = timeOfId(reader.lastId) - overlapMs;
    const since = await queries.since(reader.caller, reader.wanted, fromMs, mostReplayed);
    if (since.length === mostReplayed) reader.stream.missed(null);
    const guardNames = await names.ofGuards(since);
    for (const query of since.toReversed()) send(reader, query, eventOf(query, guardNames));
  }
}
