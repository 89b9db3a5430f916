import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { endsTheRun } from './judge-guard.ts';
import type { RowJudge } from './row-judge.ts';
import type { BrokenRow, LabelledText } from './rows.ts';
import type { ScoreTable } from './score-table.ts';

const turnMs = 25;
const mostFailuresInARow = 20;

/** Why a run ended that a person stopped. */
export const interrupted = 'interrupted by Ctrl-C.';

/** A run over rows that stops on Ctrl-C or when its judge no longer responds. */
export class Run {
  /** Why it ended early. */
  stoppedBy: string | undefined;
  notJudged = 0;
  readonly firstNotJudged: BrokenRow[] = [];
  readonly #judge: RowJudge;
  readonly #onRow: () => void;
  #failuresInARow = 0;

  constructor(judge: RowJudge, onRow: () => void) {
    this.#judge = judge;
    this.#onRow = onRow;
  }

  /** Rows under way are still judged. */
  stop(why: string): void {
    this.stoppedBy ??= why;
  }

  /** Judges rows into a table, `concurrency` at once. */
  async judge(rows: AsyncIterable<LabelledText>, into: ScoreTable): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let turnSince = performance.now();
    for await (const row of rows) {
      if (this.stoppedBy !== undefined) break;
      const one = this.#judgeOne(row, into).finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= this.#judge.concurrency) await Promise.race(underWay);
      if (performance.now() - turnSince > turnMs) {
        // Signals and the progress line have their turn.
        await yieldToEventLoop();
        turnSince = performance.now();
      }
    }
    await Promise.all(underWay);
  }

  async #judgeOne(row: LabelledText, into: ScoreTable): Promise<void> {
    try {
      into.add(row, await this.#judge.judge(row));
      this.#failuresInARow = 0;
      this.#onRow();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.notJudged++;
      this.#failuresInARow++;
      if (this.firstNotJudged.length < 5) this.firstNotJudged.push({ path: row.file, line: row.line, why });
      if (endsTheRun(error) || this.#failuresInARow >= mostFailuresInARow) this.stop(why);
    }
  }
}
