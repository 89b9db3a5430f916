import type { Queries } from '../db/database.ts';
import * as store from './event-store.ts';
import type { LoggedEvent } from './event-store.ts';

export interface ReadOptions {
  /** Sequence number to read after; 0 starts with the oldest kept event. */
  readonly after: number;
  /** Stops reading. */
  readonly signal: AbortSignal;
  /** Whether this is the topic's final event. */
  readonly isLast?: ((event: LoggedEvent) => boolean) | undefined;
}

/** Events per read. */
const pageSize = 100;
/** Polling interval of a reader, in case a notification is lost. */
const lookEveryMs = 10_000;

/** One reader of a topic: whether there are new events since its last read. */
class Reader {
  #hasNews = false;
  #resolve = () => {};

  /** Called when there may be new events, and when the reader is to stop. */
  notify(): void {
    this.#hasNews = true;
    this.#resolve();
  }

  /** From now on only what comes later counts as new. */
  reset(): void {
    this.#hasNews = false;
  }

  /** Waits for new events; returns false if the polling interval ended without any. */
  async waitForNews(): Promise<boolean> {
    if (this.#hasNews) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      this.#resolve = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#hasNews;
  }
}

/** The readers of one topic in this process. */
interface Topic {
  readonly readers: Set<Reader>;
  /** The last read, until new events arrive: shared by readers at the same position. */
  reading: { readonly after: number; readonly page: Promise<LoggedEvent[]> } | undefined;
}

/** All readers of topics in this process. */
export class TopicReaders {
  readonly #db: Queries;
  readonly #topics = new Map<string, Topic>();

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Tells the readers of a topic that it has new events. */
  wake(name: string): void {
    const topic = this.#topics.get(name);
    if (topic === undefined) return;
    topic.reading = undefined;
    for (const each of topic.readers) each.notify();
  }

  /** For when notifications may have been missed. */
  wakeAll(): void {
    for (const name of this.#topics.keys()) this.wake(name);
  }

  /** Yields the events of a topic in order, until `isLast` or the signal. */
  async *follow(
    name: string,
    { after, signal, isLast }: ReadOptions,
  ): AsyncGenerator<LoggedEvent, void, undefined> {
    const reader = new Reader();
    const topic = this.#enter(name, reader);
    const stop = () => reader.notify();
    signal.addEventListener('abort', stop);
    let last = after;
    try {
      while (!signal.aborted) {
        reader.reset();
        const page = await this.#pageAfter(name, topic, last);
        for (const each of page) {
          if (signal.aborted) return;
          last = each.seq;
          yield each;
          if (isLast?.(each) === true) return;
        }
        if (page.length < pageSize && !(await reader.waitForNews())) topic.reading = undefined;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#leave(name, topic, reader);
    }
  }

  #enter(name: string, reader: Reader): Topic {
    const topic = this.#topics.get(name) ?? { readers: new Set(), reading: undefined };
    this.#topics.set(name, topic);
    topic.readers.add(reader);
    return topic;
  }

  #leave(name: string, topic: Topic, reader: Reader): void {
    topic.readers.delete(reader);
    if (topic.readers.size === 0) this.#topics.delete(name);
  }

  /** Readers at the same position share one read. */
  #pageAfter(name: string, topic: Topic, after: number): Promise<LoggedEvent[]> {
    if (topic.reading?.after === after) return topic.reading.page;
    const page = store.listAfter(this.#db, name, after, pageSize);
    const reading = { after, page };
    topic.reading = reading;
    page.catch(() => {
      if (topic.reading === reading) topic.reading = undefined;
    });
    return page;
  }
}
