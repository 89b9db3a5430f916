/** Tells open pages that something changed which they show. */
import type { Database } from '#base/db/database.ts';
import { tooManyRequests, unavailable } from '#base/errors.ts';
import { type ChangeNotice, hearChanges, noticed } from '#base/events/change-notices.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Caller } from '#identity/caller.ts';
import type { Presence } from '#identity/presence.ts';

const mostReaders = 2000;
/** Each page of a browser has one. */
const mostReadersOfUser = 50;
const options = { lifeMs: 900_000, retryMs: 3000 };

interface Reader {
  readonly stream: EventStream;
  readonly caller: Caller;
}

interface Told {
  readonly what: readonly string[];
}

const concerns = ({ tenantId, userId, roles }: Caller, notice: ChangeNotice): boolean =>
  notice.tenantId === tenantId &&
  (notice.userId === undefined || notice.userId === userId || roles.includes('admin'));

const both = (waiting: Told, newer: Told): Told => ({ what: [...new Set([...waiting.what, ...newer.what])] });

export class ChangeStreams implements AsyncDisposable {
  readonly #db: Database;
  readonly #presence: Presence;
  readonly #readers = new Set<Reader>();
  #hearing: Promise<AsyncDisposable> | undefined;
  #isClosed = false;

  constructor({ db, presence }: { db: Database; presence: Presence }) {
    this.#db = db;
    this.#presence = presence;
  }

  /** @throws AppError 429 or 503 if there are too many readers already */
  async open(caller: Caller): Promise<EventStream> {
    await this.#hear();
    this.#refuseCrowds(caller);
    const stream = new EventStream(options);
    const reader = { stream, caller };
    this.#readers.add(reader);
    const leave = () => this.#readers.delete(reader);
    const visit = this.#presence.enter(
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
    return stream;
  }

  /** Ends all streams; new ones are refused. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#readers) stream.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const hearing = await this.#hearing?.catch(() => undefined);
    await hearing?.[Symbol.asyncDispose]();
  }

  #hear(): Promise<AsyncDisposable> {
    this.#hearing ??= hearChanges(
      this.#db,
      (notices) => this.#tell(notices),
      () => {
        for (const { stream } of this.#readers) stream.merge<Told>('changed', { what: noticed }, both);
      },
    );
    this.#hearing.catch(() => {
      this.#hearing = undefined;
    });
    return this.#hearing;
  }

  #tell(notices: readonly ChangeNotice[]): void {
    for (const { caller, stream } of this.#readers) {
      const what = [...new Set(notices.filter((each) => concerns(caller, each)).map((each) => each.what))];
      if (what.length > 0) stream.merge<Told>('changed', { what }, both);
    }
  }

  #refuseCrowds({ userId }: Caller): void {
    if (this.#isClosed) throw unavailable('The dashboard is shutting down. Connect again in a moment.');
    if (this.#readers.size >= mostReaders)
      throw unavailable('Too many pages are told of changes. Reload this one now and then.');
    const own = [...this.#readers].filter(({ caller }) => caller.userId === userId).length;
    if (own >= mostReadersOfUser)
      throw tooManyRequests(`You have ${own} pages open. Close one before you open another.`, 5);
  }
}
