import { bad } from './client.ts';
import type { SourceBatch } from './source.ts';

/** What one question was answered with; not complete where rows were left out. */
export interface WindowAnswer<Row = object> extends SourceBatch<Row> {
  readonly complete: boolean;
  /** Why not, for the message. */
  readonly because?: string;
}

const shortestMs = 1000;

/**
 * Asks for a window, and for its halves where the answer is not complete, down to a second.
 * @throws AppError 502 where even that is not
 */
export async function* inHalves<Row>(
  from: Date,
  to: Date,
  ask: (from: Date, to: Date) => Promise<WindowAnswer<Row>>,
): AsyncGenerator<SourceBatch<Row>> {
  const windows = [{ from, to }];
  for (let window = windows.pop(); window !== undefined; window = windows.pop()) {
    const answer = await ask(window.from, window.to);
    const lengthMs = window.to.getTime() - window.from.getTime();
    if (answer.complete) yield answer;
    else if (lengthMs <= shortestMs)
      throw bad(
        `The source leaves rows out within ${lengthMs} ms from ${window.from.toISOString()}: ` +
          `${answer.because ?? 'too many rows'}.`,
      );
    else {
      const middle = new Date(window.from.getTime() + Math.floor(lengthMs / 2));
      windows.push({ from: middle, to: window.to }, { from: window.from, to: middle });
    }
  }
}

/** The largest of the times; undefined where there is none. */
export function newestOf(times: readonly (number | undefined)[]): number | undefined {
  let newest: number | undefined;
  for (const each of times)
    if (each !== undefined && Number.isFinite(each) && (newest === undefined || each > newest)) newest = each;
  return newest;
}
