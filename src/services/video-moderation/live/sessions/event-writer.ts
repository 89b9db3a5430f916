/** Writes the events of one session in order, and queues them for its callback in the same transaction. */
import type { Database, Queries } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { EventLog } from '#base/events/event-log.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import { newUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredStream } from './store.ts';
import type { EventBody } from './view.ts';

export interface EventWriterDeps {
  readonly db: Database;
  readonly events: EventLog;
  readonly webhooks: Webhooks;
  readonly log: Logger;
}

export interface Callback {
  readonly destinationId: string;
  readonly only: 'all' | 'flagged';
}

export const callbackOf = ({ callbackId, settings }: StoredStream): Callback | undefined =>
  callbackId === null ? undefined : { destinationId: callbackId, only: settings.callbackEvents };

export const topicOf = (streamId: string): string => `video:${streamId}`;

/** Events that may wait for the database; beyond, frames without a flag are dropped. */
const mostWaiting = 256;
const batchSize = 64;
const retryMs = 500;

/** Whether it must arrive, whatever happens. */
const isImportant = ({ type, flag }: EventBody): boolean => type !== 'frame' || flag;

const isForCallback = (only: Callback['only'], { type, flag }: EventBody): boolean =>
  only === 'all' || flag || type === 'summary' || type === 'error';

/** Appends events within a transaction; used as well for sessions that run nowhere. */
export async function appendEvents(
  deps: Pick<EventWriterDeps, 'events' | 'webhooks'>,
  streamId: string,
  bodies: readonly EventBody[],
  callback: Callback | undefined,
  tx: Queries,
): Promise<void> {
  const written = bodies.map((body) => ({ ...body, event_id: `evt_${newUuid()}` }));
  const logged = await deps.events.append(
    topicOf(streamId),
    written.map((data) => ({ event: data.type, data })),
    tx,
  );
  if (callback === undefined) return;
  for (const [i, body] of written.entries())
    if (isForCallback(callback.only, body))
      await deps.webhooks.send(
        callback.destinationId,
        { ...body, seq: logged[i]?.seq },
        { tx, messageId: body.event_id },
      );
}

/** The event with which a session ends. */
interface Last {
  readonly body: EventBody;
  /** What is saved in the same transaction. @returns whether the session had not ended before, by anyone */
  readonly save: (tx: Queries) => Promise<boolean>;
}

export class EventWriter {
  readonly #deps: EventWriterDeps;
  readonly #streamId: string;
  readonly #callback: Callback | undefined;
  #waiting: EventBody[] = [];
  #writing: Promise<void> | undefined;
  #dropped = 0;
  #isCallbackCrowded = false;
  #isCallbackDead = false;
  #last: Last | undefined;

  constructor(deps: EventWriterDeps, streamId: string, callback: Callback | undefined) {
    this.#deps = deps;
    this.#streamId = streamId;
    this.#callback = callback;
  }

  /** Frames that were judged and not told. */
  get dropped(): number {
    return this.#dropped;
  }

  write(body: EventBody): void {
    this.#waiting.push(body);
    if (this.#waiting.length > mostWaiting) {
      const at = this.#waiting.findIndex((each) => !isImportant(each));
      if (at >= 0) {
        this.#waiting.splice(at, 1);
        this.#dropped += 1;
      }
    }
    this.#writing ??= this.#run().finally(() => (this.#writing = undefined));
  }

  /** While a callback is far behind, it gets no frames without a flag. */
  setCrowded(isCrowded: boolean): void {
    this.#isCallbackCrowded = isCrowded;
  }

  /** Nothing more is sent to the callback. */
  endCallback(): void {
    this.#isCallbackDead = true;
  }

  get hasCallback(): boolean {
    return this.#callback !== undefined && !this.#isCallbackDead;
  }

  /**
   * Writes the last event after all others, in one transaction with the end of the session: whoever sees one sees both.
   * Tries until it succeeds.
   */
  async writeLast(body: EventBody, save: Last['save']): Promise<void> {
    this.#last = { body, save };
    this.write(body);
    await this.#writing;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize);
      try {
        await this.#writeBatch(batch);
        const written = new Set(batch);
        this.#waiting = this.#waiting.filter((each) => !written.has(each));
      } catch (err) {
        this.#deps.log.warn({ err, stream_id: this.#streamId }, 'events of a live session are delayed');
        // A callback that is gone must not hold up the others; what is refused for itself is given up.
        if (err instanceof AppError && this.hasCallback) {
          this.endCallback();
          continue;
        }
        if (err instanceof AppError)
          this.#waiting = this.#waiting.filter((each) => each === this.#last?.body || !batch.includes(each));
        await sleep(retryMs);
      }
    }
  }

  async #writeBatch(batch: readonly EventBody[]): Promise<void> {
    const last = batch.at(-1) === this.#last?.body ? this.#last : undefined;
    await this.#deps.db.transaction(async (tx) => {
      // A session that another process has ended has its last events already.
      if (last !== undefined && !(await last.save(tx))) return;
      await appendEvents(this.#deps, this.#streamId, batch, this.#callbackNow(), tx);
    });
  }

  #callbackNow(): Callback | undefined {
    if (this.#callback === undefined || this.#isCallbackDead) return undefined;
    return this.#isCallbackCrowded ? { ...this.#callback, only: 'flagged' } : this.#callback;
  }
}
