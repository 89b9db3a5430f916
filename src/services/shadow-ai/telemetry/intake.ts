import type { Batch } from './batch.ts';
import type { Ingest } from './ingest.ts';
import type { Incoming } from './read-row.ts';

/** Rows of a transaction: many, so that a session is seldom made anew for each of its events. */
const batchRows = 8000;
/** Texts of a transaction, in characters, whatever the number of its rows. */
const batchCharacters = 8 * 1024 * 1024;
/** Transactions at a time: while the database writes the rows of one, those of another are made ready. */
const lanes = 3;

type To = Parameters<Ingest['open']>[0];

/** A stream of rows on its way into the database. Rows of a device stay in order, and wait for nobody but each other. */
export class Intake {
  readonly #lanes: readonly Lane[];

  constructor(ingest: Ingest, to: To) {
    this.#lanes = Array.from({ length: lanes }, () => new Lane(ingest, to));
  }

  /**
   * @returns where the database does not follow, what is to be waited for before the next row; it fails with what an
   *   earlier batch has failed with
   */
  add(row: Incoming): Promise<void> | undefined {
    return this.#lanes[laneOf(row.device.uid)]?.add(row);
  }

  /** Waits until all rows are committed. @throws what a batch has failed with */
  async end(): Promise<void> {
    const ended = await Promise.allSettled(this.#lanes.map((lane) => lane.end()));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }
}

/** Devices are locked while their sessions are made: those of one lane never wait for another. */
function laneOf(deviceUid: string): number {
  let sum = 0;
  for (let i = 0; i < deviceUid.length; i += 1) sum = (sum * 31 + deviceUid.charCodeAt(i)) >>> 0;
  return sum % lanes;
}

class Lane {
  readonly #ingest: Ingest;
  readonly #to: To;
  #batch: Batch;
  #characters = 0;
  /** The batch that is on its way. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(ingest: Ingest, to: To) {
    this.#ingest = ingest;
    this.#to = to;
    this.#batch = ingest.open(to);
  }

  add(row: Incoming): Promise<void> | undefined {
    this.#batch.add(row);
    this.#characters += charactersOf(row);
    const isFull = this.#batch.rows >= batchRows || this.#characters >= batchCharacters;
    return isFull ? this.#next() : undefined;
  }

  async end(): Promise<void> {
    await this.#next();
    await this.#keeping;
  }

  async #next(): Promise<void> {
    const batch = this.#batch;
    this.#batch = this.#ingest.open(this.#to);
    this.#characters = 0;
    await this.#keeping;
    this.#keeping = this.#ingest.keep(batch);
    // Whoever waits next is told of a failure.
    this.#keeping.catch(() => {});
  }
}

const charactersOf = ({ event }: Incoming): number =>
  (event.process.commandLine?.length ?? 0) +
  (event.process.parentCommandLine?.length ?? 0) +
  (event.filePath?.length ?? 0);
