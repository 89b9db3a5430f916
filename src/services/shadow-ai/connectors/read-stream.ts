import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Intake } from '../telemetry/intake.ts';
import { type Incoming, readRow, RowProblem } from '../telemetry/read-row.ts';
import { bad } from './sources/client.ts';
import type { Source } from './sources/source.ts';
import { newestOf } from './sources/windows.ts';
import { advance, type LeasedStream } from './stream-store.ts';

/** Watermarks move in steps of at most so long, so that a crash costs little. */
const stepMs = 6 * 3_600_000;

/** Another process reads the stream now, or its connector is gone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

interface Reading {
  readonly db: Database;
  readonly clock: Clock;
  readonly source: Source;
  readonly stream: LeasedStream;
  /** What is asked for again, for what arrives late. */
  readonly overlapMs: number;
  /** How far the first poll looks back. */
  readonly firstMs: number;
  readonly intake: () => Intake;
}

/** From the watermark, less the overlap, until now; the watermark moves after the rows are committed. */
export async function readStream(reading: Reading): Promise<{ refused: number }> {
  const { db, clock, source, stream, overlapMs, firstMs } = reading;
  // Where the source's clock is behind ours, its newest rows are not from our now.
  const endMs = clock.now() + Math.min(0, source.skewMs());
  let total = 0;
  let fromMs = stream.watermark === null ? endMs - firstMs : stream.watermark.getTime() - overlapMs;
  while (fromMs < endMs) {
    const untilMs = Math.min(fromMs + Math.max(stepMs, 2 * overlapMs), endMs);
    const seen = await readWindow(reading, fromMs, untilMs);
    requireRows(seen, stream, fromMs, untilMs);
    total += seen.refused;
    const progress = {
      watermark: new Date(untilMs),
      newestAt: seen.newestMs === undefined ? null : new Date(seen.newestMs),
      events: seen.rows - seen.refused,
      refused: seen.refused,
    };
    if (!(await advance(db, stream, progress))) throw new LeaseLost();
    fromMs = untilMs;
  }
  return { refused: total };
}

/** @throws AppError 502 for an answer that cannot be the whole truth */
function requireRows(
  { rows, refused, reason }: Seen,
  { newestAt }: LeasedStream,
  fromMs: number,
  untilMs: number,
): void {
  const newestMs = newestAt?.getTime() ?? -1;
  if (rows === 0 && newestMs >= fromMs && newestMs < untilMs)
    throw bad(
      `The source answered nothing for a window in which it had rows before (${new Date(fromMs).toISOString()} to ` +
        `${new Date(untilMs).toISOString()}); it is asked again. Check its scope and permissions if this stays.`,
    );
  if (rows > 0 && refused === rows)
    throw bad(
      `None of ${rows} rows was understood (${reason ?? 'no reason'}); the form of the source may have changed.`,
    );
}

interface Seen {
  readonly rows: number;
  readonly refused: number;
  readonly reason: string | undefined;
  readonly newestMs: number | undefined;
}

/** An empty answer is asked for once more: some sources answer nothing, with success, where something failed. */
async function readWindow(reading: Reading, fromMs: number, untilMs: number): Promise<Seen> {
  const once = await readOnce(reading, fromMs, untilMs);
  return once.rows > 0 ? once : readOnce(reading, fromMs, untilMs);
}

async function readOnce(
  { source, stream, clock, intake: openIntake }: Reading,
  fromMs: number,
  untilMs: number,
): Promise<Seen> {
  let [rows, refused] = [0, 0];
  let reason: string | undefined;
  let newestMs: number | undefined;
  const intake = openIntake();
  for await (const batch of source.read(stream.stream, new Date(fromMs), new Date(untilMs))) {
    const read = readAll(batch.rows, clock.now());
    rows += batch.rows.length;
    refused += batch.rows.length - read.rows.length;
    reason ??= read.reason;
    newestMs = newestOf([newestMs, batch.newestMs]);
    for (const row of read.rows) {
      const full = intake.add(row);
      if (full !== undefined) await full;
    }
  }
  await intake.end();
  return { rows, refused, reason, newestMs };
}

function readAll(rows: readonly object[], nowMs: number): { rows: Incoming[]; reason: string | undefined } {
  const read: Incoming[] = [];
  let reason: string | undefined;
  for (const row of rows)
    try {
      read.push(readRow(row, nowMs));
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      reason ??= error.message;
    }
  return { rows: read, reason };
}
